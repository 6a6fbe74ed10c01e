// Samplers: properties, which kernels get as OpenCL C has them.
#include "ocl.h"

enum { ADDRESS_NONE = 0x1130, ADDRESS_MIRRORED = 0x1134, FILTER_NEAREST = 0x1140, FILTER_LINEAR };

static cl_sampler create_sampler(cl_context c, cl_bool normalized, cl_uint addressing, cl_uint filter,
                                 cl_int *error) {
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (addressing < ADDRESS_NONE || addressing > ADDRESS_MIRRORED ||
      filter != FILTER_NEAREST && filter != FILTER_LINEAR)
    return ocl_fail(error, CL_INVALID_VALUE);
  cl_sampler s = ocl_new(SAMPLER, sizeof *s);
  s->context = c;
  c->o.refs++;
  s->normalized = normalized != 0;
  s->addressing = addressing;
  s->filter = filter;
  if (error) *error = CL_SUCCESS;
  return s;
}

cl_sampler clCreateSampler(cl_context c, cl_bool normalized, cl_uint addressing, cl_uint filter,
                           cl_int *error) {
  HELD;
  return create_sampler(c, normalized, addressing, filter, error);
}

cl_sampler clCreateSamplerWithProperties(cl_context c, const cl_ulong *properties, cl_int *error) {
  HELD;
  enum { COORDS = 0x1152, ADDRESSING, FILTER };
  cl_uint normalized = 1, addressing = ADDRESS_NONE + 2, filter = FILTER_NEAREST;
  size_t count = 0;
  for (const cl_ulong *p = properties; p && *p; p += 2, count += 2) {
    switch (*p) {
    case COORDS: normalized = p[1]; break;
    case ADDRESSING: addressing = p[1]; break;
    case FILTER: filter = p[1]; break;
    default: return ocl_fail(error, CL_INVALID_VALUE);
    }
  }
  cl_sampler s = create_sampler(c, normalized, addressing, filter, error);
  if (s && properties) {
    s->property_count = count + 1;
    s->properties = calloc(count + 1, sizeof *s->properties);
    memcpy(s->properties, properties, count * sizeof *properties);
  }
  return s;
}

// ocl_sampler_bits are a sampler's properties as OpenCL C has them.
static uint64_t ocl_sampler_bits(cl_sampler s) {
  enum { NEAREST = 0x10, LINEAR = 0x20 };
  return s->normalized | (s->addressing - ADDRESS_NONE) * 2 |
         (s->filter == FILTER_LINEAR ? LINEAR : NEAREST);
}

cl_int clRetainSampler(cl_sampler s) {
  HELD;
  if (!IS(s, SAMPLER)) return ocl_answer(CL_INVALID_SAMPLER);
  ocl_retained(s);
  return CL_SUCCESS;
}

cl_int clReleaseSampler(cl_sampler s) {
  HELD;
  if (!IS(s, SAMPLER)) return ocl_answer(CL_INVALID_SAMPLER);
  if (ocl_released(s)) return ocl_answer(CL_INVALID_SAMPLER);
  if (--s->o.refs) return CL_SUCCESS;
  ocl_release_context(s->context);
  free(s->properties);
  ocl_free(s);
  return CL_SUCCESS;
}

cl_int clGetSamplerInfo(cl_sampler s, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(s, SAMPLER)) return CL_INVALID_SAMPLER;
  switch (what) {
  case 0x1150: ANSWER(cl_uint, s->o.refs);
  case 0x1151: ANSWER(cl_context, s->context);
  case 0x1152: ANSWER(cl_bool, s->normalized);
  case 0x1153: ANSWER(cl_uint, s->addressing);
  case 0x1154: ANSWER(cl_uint, s->filter);
  case 0x1158: return ocl_info(s->properties, s->property_count * sizeof *s->properties, room, to, needed);
  }
  return CL_INVALID_VALUE;
}
