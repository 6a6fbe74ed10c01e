// Images and samplers for kernels on AMD's processors that have instructions for images, by the functions of
// the device libraries: descriptors (amd_image.h), which are made when a kernel is launched, since a program
// says only then what it is compiled for.
#include "amd_image.h"
#include "ocl.h"

// amd_image_argument writes the descriptor of an image and gives its address. Of an image whose rows lie
// otherwise than the processor has them there is none.
static cl_int amd_image_argument(int generation, cl_mem m, uint64_t *address) {
  struct image *i = m->image;
  *address = i->description - IMAGE_BLOCK - IMAGE_DESCRIPTOR;
  uint32_t *words = dev_host(*address);
  const texel_image *block = dev_host(i->description - IMAGE_BLOCK);
  uint32_t texel = (uint32_t)i->size;
  if (i->object == IMAGE_1D_BUFFER) {
    amd_buffer(generation, words, block, texel, amd_format_of(block->format));
    return CL_SUCCESS;
  }
  if (amd_image(generation, words, block, texel, i->object == IMAGE_1D_ARRAY || i->object == IMAGE_2D_ARRAY))
    return CL_SUCCESS;
  dev_say("an image whose rows of %zu bytes are %zu bytes apart, at %#llx: %s has no descriptor of it",
          i->extent[0] * i->size, i->pitch[0], (unsigned long long)m->addr, dev.processor);
  return CL_INVALID_KERNEL_ARGS;
}

// amd_sampler_argument gives the address of a sampler's descriptor: one for all of the same properties.
static cl_int amd_sampler_argument(int generation, uint64_t properties, uint64_t *address) {
  enum { KINDS = 64, NORMALIZED = 1, LINEAR = 0x20 };
  static uint64_t made[KINDS];
  static const uint32_t modes[] = {2, 2, 3, 0, 1}; // none, to the edge, clamp, repeat, mirrored
  uint64_t *at = &made[properties % KINDS];
  if (!*at) {
    cl_int e;
    *at = ocl_allocate(AMD_SAMPLER_WORDS * 4, OF_BUFFER, &e);
    if (e) return e;
  }
  uint32_t mode = modes[(properties >> 1 & 7) % 5], filter = (properties & LINEAR) != 0;
  texel_sampler s = {.mag = filter, .min = filter, .modes = {mode, mode, mode}, .most = 15,
                     .compare = TEXEL_NO_COMPARISON, .unnormalized = !(properties & NORMALIZED)};
  amd_sampler(generation, dev_host(*at), &s, 0);
  *address = *at;
  return CL_SUCCESS;
}
