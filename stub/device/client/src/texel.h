// The blocks of memory by which machines know images and samplers: those of package simt/texel, byte by byte.
#pragma once

#include <stdint.h>

enum { TEXEL_LINE, TEXEL_PLANE, TEXEL_VOLUME, TEXEL_CUBE };
enum { TEXEL_NO_COMPARISON = 8 };
enum { TEXEL_FACES_APART = 1 << 7 }; // among the bits of a conversion

typedef struct {
  uint32_t format, shape; // a VkFormat
  uint32_t size[3], layers, levels, samples;
  uint32_t first_level, view_levels, first_layer, view_layers;
  uint8_t swizzle[4];   // 0 to 3, or 4 for zero and 5 for one
  uint16_t order, type; // of channels, as OpenCL numbers them; 0 if nobody asks
  uint64_t address, pitch, slice;
  uint64_t align; // what rows begin at a multiple of
} texel_image;

typedef struct {
  uint32_t mag, min, mip, modes[3], compare, unnormalized;
  float bias, least, most, border[4];
  uint32_t conversion; // of luma and chroma to colors: see Conversion there
} texel_sampler;

// A texel_block is an image with a sampler behind it.
typedef struct {
  texel_image image;
  uint8_t between[40];
  texel_sampler sampler;
} texel_block;

_Static_assert(sizeof(texel_image) == 88 && sizeof(texel_sampler) == 64 && sizeof(texel_block) == 192,
               "as simt/texel");
