// Samplers that a program in OpenCL C has as constants, for processors whose descriptors are gfx10's or later: those of
// the device libraries have a border there that is opaque, where OpenCL C has one whose alpha is 0 if the image has an
// alpha, and on gfx12 a least level of detail of 16, since its fields have a bit more.
//
// It is compiled without the declarations of OpenCL C, as images.cl is.

typedef unsigned int uint;
typedef unsigned long ulong;

// Address modes and filters, as the processor numbers them; what OpenCL C does not define lies in the border.
#define BORDER 6
#define EDGE 2
#define REPEAT 0
#define MIRRORED 1

#ifdef __GFX12__
#define LEVELS (0x1FFFu << 13)
#else
#define LEVELS (0xFFFu << 12)
#endif

// A descriptor: three address modes, cubes without wrapping, whether coordinates count texels, all levels, and filters.
#define SAMPLER(MODE, NORMALIZED, LINEAR) \
  {(MODE) * 0x49u | 1u << 28 | (1u - (NORMALIZED)) << 15, LEVELS, (LINEAR) * (1u << 20 | 1u << 22), 0}
#define BOTH(MODE, LINEAR) SAMPLER(MODE, 0, LINEAR), SAMPLER(MODE, 1, LINEAR)
#define MODES(LINEAR) \
  BOTH(BORDER, LINEAR), BOTH(EDGE, LINEAR), BOTH(BORDER, LINEAR), BOTH(REPEAT, LINEAR), BOTH(MIRRORED, LINEAR)

enum { NORMALIZED = 1, ADDRESSING = 0xE, WITHOUT_FILTER = 10 };

static constant uint samplers[][4] = {MODES(0), MODES(1)};

constant void *__translate_sampler_initializer(uint properties) {
  uint linear = properties >> 5 & 1, mode = properties & (ADDRESSING | NORMALIZED);
  return (constant void *)samplers[(mode < WITHOUT_FILTER ? mode : 0) + linear * WITHOUT_FILTER];
}
