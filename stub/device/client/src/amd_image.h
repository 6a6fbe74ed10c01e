// Descriptors of images and samplers as AMD's processors take them, made of the blocks of texel.h. What
// kernels get is the address of twelve words for an image, then four for a sampler, as the functions of the
// device libraries (ockl/src/image.cl) and of HIP's headers want it: eight words for the processor, then what
// OpenCL asks of an image, in HSA's numbers. Behind them lies the block that says the same to debuggers.
//
// Sources: ROCr's image/resource_ai.h, resource_nv.h, resource_gfx11.h, resource_gfx12.h and
// image_manager_*.cpp; the ISA documents, "Image resource descriptor", "Buffer resource descriptor", "Image
// sampler descriptor".
#pragma once

#include <stdlib.h>
#include <string.h>

#include "texel.h"

enum { AMD_IMAGE_WORDS = 12, AMD_SAMPLER_WORDS = 4, AMD_TEXTURE_WORDS = AMD_IMAGE_WORDS + AMD_SAMPLER_WORDS };

typedef struct {
  uint32_t image[AMD_IMAGE_WORDS], sampler[AMD_SAMPLER_WORDS];
  texel_block block;
} amd_texture;

// amd_generation is the generation of a processor that has instructions for images, and 0 of others. Of gfx10
// there are two: only from gfx1030 on images can have rows that a program has laid out.
enum { AMD_GFX9 = 90, AMD_GFX101 = 101, AMD_GFX103 = 103, AMD_GFX11 = 110, AMD_GFX12 = 120 };

static int amd_generation(const char *processor) {
  static const char *without[] = {"gfx90a", "gfx942", "gfx950", "gfx1250", "gfx1251", "gfx9-4-generic"};
  if (strncmp(processor, "gfx", 3)) return 0;
  for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
    if (!strcmp(processor, without[i])) return 0;
  if (processor[3] == '9') return AMD_GFX9;
  switch (processor[4]) {
  case '0':
    return !strncmp(processor, "gfx101", 6) || !strncmp(processor, "gfx10-1", 7) ? AMD_GFX101 : AMD_GFX103;
  case '1': return AMD_GFX11;
  }
  return AMD_GFX12;
}

// amd_lds is how many bytes of LDS a workgroup has at most on a processor.
static inline size_t amd_lds(const char *processor) {
  size_t kilobytes = !strcmp(processor, "gfx950") ? 160 : !strncmp(processor, "gfx125", 6) ? 320 : 64;
  return kilobytes << 10;
}

// amd_rows is what each row of an image begins at a multiple of.
static uint64_t amd_rows(int generation) { return generation == AMD_GFX12 ? 128 : 256; }

// An amd_format is how AMD numbers a format of Vulkan's: the data format and the number format of gfx9, and
// in which of the components from the lowest bit on red, green, blue and alpha are.
typedef struct {
  uint32_t data, number;
  uint8_t where[4];
} amd_format;

enum { AMD_UNORM, AMD_UINT = 4, AMD_SINT, AMD_FLOAT = 7, AMD_SRGB = 9 };

// amd_format_of is the number of a format; data is 0 if there is no such.
static amd_format amd_format_of(uint32_t format) {
  static const struct {
    uint32_t first, data, bits;
  } families[] = {{9, 1, 8},   {16, 3, 8},  {37, 10, 8},  {70, 2, 16},   {77, 5, 16},
                  {91, 12, 16}, {98, 4, 32}, {101, 11, 32}, {107, 14, 32}};
  static const uint32_t of32[] = {AMD_UINT, AMD_SINT, AMD_FLOAT};
  amd_format f = {0, AMD_UNORM, {0, 1, 2, 3}};
  switch (format) {
  case 4: return (amd_format){16, AMD_UNORM, {2, 1, 0, 3}};  // r5g6b5_unorm_pack16
  case 8: return (amd_format){17, AMD_UNORM, {2, 1, 0, 3}};  // a1r5g5b5_unorm_pack16
  case 58: return (amd_format){9, AMD_UNORM, {2, 1, 0, 3}};  // a2r10g10b10_unorm_pack32
  }
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    uint32_t n = format - families[i].first;
    if (format < families[i].first || n >= (families[i].bits == 32 ? 3 : 7)) continue;
    f.data = families[i].data;
    f.number = families[i].bits == 32 ? of32[n] : n < 6 ? n : families[i].bits == 8 ? AMD_SRGB : AMD_FLOAT;
  }
  return f;
}

// amd_combined is the number that a data format and a number format have together from gfx10 on.
static uint32_t amd_combined(int generation, amd_format f) {
  static const uint16_t first10[] = {0, 1, 7, 14, 20, 23, 30, 37, 44, 50, 56, 62, 65, 72, 75};
  static const uint16_t first11[] = {0, 1, 7, 14, 20, 23, 30, 31, 32, 36, 42, 48, 51, 58, 61};
  int older = generation < AMD_GFX11;
  uint32_t after = older ? 128 : 64;
  if (f.number == AMD_SRGB) return after + (f.data == 1 ? 0 : f.data == 3 ? 1 : 2);
  if (f.data >= 16) return (older ? 133 : 68) + f.data - 16;
  uint32_t n = f.number;
  if (f.data == 4 || f.data == 11 || f.data == 14) n = n == AMD_FLOAT ? 2 : n - AMD_UINT;
  else if (n == AMD_FLOAT) n = 6;
  return (older ? first10 : first11)[f.data] + n;
}

// amd_selects says which component of a texel each of red, green, blue and alpha is.
static uint32_t amd_selects(const texel_image *m, amd_format f) {
  uint32_t all = 0;
  for (int i = 0; i < 4; i++) {
    uint8_t s = m->swizzle[i];
    all |= (s < 4 ? 4u + f.where[s] : s == 5 ? 1u : 0u) << (3 * i);
  }
  return all;
}

// amd_channels writes what OpenCL asks of an image.
static void amd_channels(uint32_t *words, const texel_image *m) {
  // HSA's numbers of OpenCL's orders, from R on, and of its types, from SNORM_INT8 on.
  static const uint8_t orders[] = {1, 0, 3, 5, 6, 8, 9, 10, 16, 17, 2, 4, 7, 18, 19, 12, 13, 14, 15, 11};
  static const uint8_t types[] = {0, 1, 2, 3, 6, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  uint32_t order = m->order - 0x10B0u, type = m->type - 0x10D0u;
  words[8] = m->type && type < sizeof types ? types[type] : 0;
  words[9] = m->order && order < sizeof orders ? orders[order] : 0;
  words[10] = m->size[0];
}

// amd_buffer writes the descriptor of a line of texels that is read like a buffer.
static void amd_buffer(int generation, uint32_t *words, const texel_image *m, uint32_t texel, amd_format f) {
  words[0] = (uint32_t)m->address;
  words[1] = (uint32_t)(m->address >> 32) & 0xFFFF;
  words[1] |= texel << 16;
  words[2] = m->size[0];
  words[3] = amd_selects(m, f);
  if (generation == AMD_GFX9) words[3] |= f.number << 12 | f.data << 15;
  else words[3] |= amd_combined(generation, f) << 12;
  amd_channels(words, m);
}

// amd_rows_fit reports whether a descriptor can say how an image's rows lie, and gives how many texels apart
// they are.
static int amd_rows_fit(int generation, const texel_image *m, uint32_t texel, int flat, uint32_t *pitch) {
  uint64_t align = amd_rows(generation), row = (m->size[0] * (uint64_t)texel + align - 1) / align * align;
  *pitch = (uint32_t)((m->pitch ? m->pitch : row) / texel);
  if (m->levels > 1) return m->align == align;
  if (!m->pitch || m->pitch == row) return 1;
  if (m->pitch % texel || generation == AMD_GFX101) return 0;
  return flat || generation == AMD_GFX9;
}

// amd_image writes the descriptor of an image, which may be an array of one layer, and reports whether there
// is one of it: its rows must lie as processors have them, and it must begin where addresses end in zeros.
static int amd_image(int generation, uint32_t words[AMD_IMAGE_WORDS], const texel_image *m, uint32_t texel,
                     int array) {
  enum { LINE = 8, VOLUME = 10, CUBE = 11, LAYERED = 4 };
  amd_format f = amd_format_of(m->format);
  uint32_t kind = m->shape == TEXEL_CUBE ? CUBE : LINE + m->shape + (array ? LAYERED : 0), pitch;
  int flat = kind < VOLUME;
  if (!f.data || m->address % 256 || !amd_rows_fit(generation, m, texel, flat, &pitch)) return 0;
  uint32_t last = kind == VOLUME ? m->size[2] - 1 : m->first_layer + m->view_layers - 1;
  uint32_t levels = m->first_level + m->view_levels - 1, w = m->size[0] - 1, h = m->size[1] - 1,
           most = m->levels - 1;
  uint32_t deep = flat && !most ? pitch - 1 : last,
           combined = generation == AMD_GFX9 ? 0 : amd_combined(generation, f);
  uint64_t base = m->address >> 8;
  memset(words, 0, AMD_IMAGE_WORDS * sizeof *words);
  words[0] = (uint32_t)base;
  words[1] = (uint32_t)(base >> 32) & 0xFF;
  words[3] = amd_selects(m, f) | kind << 28;
  if (generation == AMD_GFX9) {
    words[1] |= f.data << 20 | f.number << 26;
    words[2] = w | h << 14;
    words[3] |= m->first_level << 12 | levels << 16;
    words[4] = last | (pitch - 1) << 13;
    words[5] = m->first_layer | most << 28;
  } else if (generation < AMD_GFX12) {
    words[1] |= combined << 20 | w << 30;
    words[2] = w >> 2 | h << 14;
    words[3] |= m->first_level << 12 | levels << 16;
    words[4] = (deep & 0x3FFF) | m->first_layer << 16;
    if (generation < AMD_GFX11) words[2] |= 1u << 31, words[5] = most << 4;
    else words[1] |= most << 16;
  } else {
    words[1] |= most << 12 | combined << 17 | m->first_level << 25 | w << 30;
    words[2] = w >> 2 | h << 14;
    words[3] |= levels << 15;
    words[4] = (deep & 0xFFFF) | m->first_layer << 16;
  }
  amd_channels(words, m);
  return 1;
}

// amd_fixed is a number with a fraction of eight bits.
static uint32_t amd_fixed(float x, float least, float most) {
  return (uint32_t)(int32_t)((x < least ? least : x > most ? most : x) * 256);
}

// amd_sampler writes the descriptor of a sampler; levels says whether it takes more than one level. A border
// is black, transparent or not, or white: others are taken for the first.
static void amd_sampler(int generation, uint32_t words[AMD_SAMPLER_WORDS], const texel_sampler *s,
                        int levels) {
  static const uint32_t modes[] = {0, 1, 2, 6, 3};
  words[0] = s->unnormalized << 15;
  for (int i = 0; i < 3; i++) words[0] |= modes[s->modes[i] > 4 ? 0 : s->modes[i]] << (3 * i);
  if (s->compare < TEXEL_NO_COMPARISON) words[0] |= s->compare << 12;
  uint32_t bits = generation == AMD_GFX12 ? 13 : 12;
  float top = generation == AMD_GFX12 ? 31.99f : 15.99f;
  words[1] = amd_fixed(s->least, 0, top) | amd_fixed(s->most, 0, top) << bits;
  words[2] = (amd_fixed(s->bias, -16, 15.99f) & 0x3FFF) | s->mag << 20 | s->min << 22 |
             (levels ? s->mip + 1 : 0) << 26;
  uint32_t black = s->border[0] == 0 && s->border[1] == 0 && s->border[2] == 0, opaque = s->border[3] == 1;
  uint32_t white = s->border[0] == 1 && s->border[1] == 1 && s->border[2] == 1 && opaque;
  words[3] = (white ? 2u : black && opaque ? 1u : 0u) << 30;
}
