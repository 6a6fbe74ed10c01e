// Tensor maps: descriptors of 128 bytes that a kernel takes by value and that bulk tensor copies read. What
// is in them is up to the driver; this layout is the one that package ptx reads (tensor_map.go there).
#include "hip.h"

enum { RANK = 5, MOST_BOX = 256, MOST_STEP = 8, MOST_PIXELS = 1024, UNIT = 16, MAGIC = 0x504d54 };

typedef struct {
  uint32_t magic : 24, rank : 8;
  uint8_t mode, type, unused, packed, swizzle, fill, more[6];
  uint64_t address;
  uint32_t last[RANK], between; // sizes, less one
  uint64_t pitch[RANK - 1];
  uint16_t box[RANK];
  uint8_t step[RANK], beside;
  int16_t lower[RANK - 2], upper[RANK - 2];
  uint16_t channels, pixels;
  uint8_t rest[16];
} tensor_map;

_Static_assert(sizeof(tensor_map) == 128, "a CUtensorMap has 128 bytes");

// How many bytes elements of each type have: CUtensorMapDataType. Packed types of less than a byte come
// behind.
static const uint8_t type_size[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

// How many bytes of a row the units are exchanged in, by CUtensorMapSwizzle; others are of later processors.
static const uint32_t swizzle_span[] = {0, 32, 64, 128, 128};

// begin fills in what both forms have, or says what is wrong.
static int begin(tensor_map *m, unsigned type, unsigned rank, void *address, const uint64_t *size,
                 const uint64_t *pitch, const uint32_t *step, unsigned packed, unsigned swizzle,
                 unsigned fill) {
  if (!m || (uintptr_t)m % 64 || !size || !step || (rank > 1 && !pitch) || rank < 1 || rank > RANK ||
      fill > 1 || packed > 2 || (uintptr_t)address % UNIT)
    return hipErrorInvalidValue;
  if (type >= sizeof type_size || packed || swizzle >= sizeof swizzle_span / sizeof *swizzle_span) {
    static char said;
    return hip_missing(
        "cuTensorMapEncode… with an interleaved layout, a type or a swizzle that is not simulated", &said);
  }
  memset(m, 0, sizeof *m);
  m->magic = MAGIC, m->rank = rank, m->type = (uint8_t)type, m->swizzle = (uint8_t)swizzle,
  m->fill = (uint8_t)fill;
  m->address = (uint64_t)(uintptr_t)address;
  for (unsigned i = 0; i < rank; i++) {
    if (!size[i] || size[i] > 1ull << 32 || !step[i] || step[i] > MOST_STEP) return hipErrorInvalidValue;
    m->last[i] = (uint32_t)(size[i] - 1), m->step[i] = (uint8_t)step[i];
    if (!i) continue;
    if (pitch[i - 1] % UNIT || pitch[i - 1] >= 1ull << 40) return hipErrorInvalidValue;
    m->pitch[i - 1] = pitch[i - 1];
  }
  return hipSuccess;
}

// row_fits reports whether a box's row of a number of elements can be copied.
static int row_fits(const tensor_map *m, uint32_t elements) {
  uint32_t bytes = elements * type_size[m->type], span = swizzle_span[m->swizzle];
  return bytes % UNIT == 0 && (!span || bytes <= span);
}

int cuTensorMapEncodeTiled(tensor_map *out, unsigned type, unsigned rank, void *address, const uint64_t *size,
                           const uint64_t *pitch, const uint32_t *box, const uint32_t *step, unsigned packed,
                           unsigned swizzle, unsigned promotion, unsigned fill) {
  (void)promotion;
  tensor_map m __attribute__((aligned(64)));
  if (!out || (uintptr_t)out % 64 || !box) return hip_done(hipErrorInvalidValue);
  int error = begin(&m, type, rank, address, size, pitch, step, packed, swizzle, fill);
  if (error) return hip_done(error);
  for (unsigned i = 0; i < rank; i++) {
    if (!box[i] || box[i] > MOST_BOX) return hip_done(hipErrorInvalidValue);
    m.box[i] = (uint16_t)box[i];
  }
  if (!row_fits(&m, (box[0] + step[0] - 1) / step[0])) return hip_done(hipErrorInvalidValue);
  *out = m;
  return hipSuccess;
}

int cuTensorMapEncodeIm2col(tensor_map *out, unsigned type, unsigned rank, void *address,
                            const uint64_t *size, const uint64_t *pitch, const int *lower, const int *upper,
                            uint32_t channels, uint32_t pixels, const uint32_t *step, unsigned packed,
                            unsigned swizzle, unsigned promotion, unsigned fill) {
  enum { IM2COL = 1 };
  (void)promotion;
  tensor_map m __attribute__((aligned(64)));
  if (!out || (uintptr_t)out % 64 || !lower || !upper || rank < 3) return hip_done(hipErrorInvalidValue);
  int error = begin(&m, type, rank, address, size, pitch, step, packed, swizzle, fill);
  if (error) return hip_done(error);
  m.mode = IM2COL;
  for (unsigned i = 0; i < rank - 2; i++) {
    if (lower[i] < INT16_MIN || lower[i] > INT16_MAX || upper[i] < INT16_MIN || upper[i] > INT16_MAX)
      return hip_done(hipErrorInvalidValue);
    m.lower[i] = (int16_t)lower[i], m.upper[i] = (int16_t)upper[i];
  }
  if (!channels || channels > MOST_BOX || !pixels || pixels > MOST_PIXELS)
    return hip_done(hipErrorInvalidValue);
  m.channels = (uint16_t)channels, m.pixels = (uint16_t)pixels;
  if (!row_fits(&m, channels)) return hip_done(hipErrorInvalidValue);
  *out = m;
  return hipSuccess;
}

int cuTensorMapReplaceAddress(tensor_map *m, void *address) {
  if (!m || m->magic != MAGIC || (uintptr_t)address % UNIT) return hip_done(hipErrorInvalidValue);
  m->address = (uint64_t)(uintptr_t)address;
  return hipSuccess;
}
