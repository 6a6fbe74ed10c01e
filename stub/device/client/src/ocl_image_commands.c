// The commands for images.
#include "ocl.h"

// Commands. A box in an image is one of bytes.

// in_image reports whether a box is an image's.
static int in_image(cl_mem m, const size_t *origin, const size_t *region) {
  if (!origin || !region) return 0;
  for (int i = 0; i < 3; i++)
    if (!region[i] || origin[i] > m->image->extent[i] || region[i] > m->image->extent[i] - origin[i])
      return 0;
  return 1;
}

// set_image_box fills in a box of an image.
static void set_image_box(cl_mem m, const size_t *from, size_t origin[3], size_t pitch[2]) {
  memcpy(origin, from, 3 * sizeof *origin);
  origin[0] *= m->image->size;
  memcpy(pitch, m->image->pitch, sizeof m->image->pitch);
}

static command *image_command(cl_command_queue q, cl_mem m, const size_t *region) {
  command *c = ocl_command(q, run_rect);
  c->region[0] = region[0] * m->image->size;
  c->region[1] = region[1];
  c->region[2] = region[2];
  return c;
}

// linear is the pitches of a box that lies in memory without an image.
static int linear(cl_mem m, const size_t *region, size_t row, size_t slice, size_t pitch[2]) {
  struct image box = *m->image;
  memcpy(box.extent, region, sizeof box.extent);
  return pitches(&box, row, slice, pitch);
}

// move_image moves a box between an image and memory of the program.
static cl_int move_image(cl_command_queue q, cl_mem m, int reads, cl_bool blocking, const size_t *origin,
                         const size_t *region, size_t row, size_t slice, const void *host, cl_uint n,
                         const cl_event *waits, cl_event *event) {
  QUEUE_AND_IMAGE(q, m);
  size_t pitch[2];
  if (!host || !in_image(m, origin, region) || !linear(m, region, row, slice, pitch))
    return CL_INVALID_VALUE;
  if (host_may(m, reads ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY)) return CL_INVALID_OPERATION;
  command *c = image_command(q, m, region);
  c->memory = m;
  c->from_host = reads ? dev_host(m->addr) : ocl_reach(host);
  c->host = reads ? ocl_reach(host) : dev_host(m->addr);
  set_image_box(m, origin, reads ? c->origin : c->other_origin, reads ? c->pitch : c->other_pitch);
  memcpy(reads ? c->other_pitch : c->pitch, pitch, sizeof pitch);
  return ocl_enqueue(c, reads ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE, blocking, n, waits, event);
}

cl_int clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                          const size_t *region, size_t row, size_t slice, void *host, cl_uint n,
                          const cl_event *waits, cl_event *event) {
  HELD;
  return ocl_answer(move_image(q, m, 1, blocking, origin, region, row, slice, host, n, waits, event));
}

cl_int clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                           const size_t *region, size_t row, size_t slice, const void *host, cl_uint n,
                           const cl_event *waits, cl_event *event) {
  HELD;
  return ocl_answer(move_image(q, m, 0, blocking, origin, region, row, slice, host, n, waits, event));
}

cl_int clEnqueueCopyImage(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                          const size_t *to_origin, const size_t *region, cl_uint n, const cl_event *waits,
                          cl_event *event) {
  HELD;
  QUEUE_AND_IMAGE(q, from);
  QUEUE_AND_IMAGE(q, to);
  if (from->image->order != to->image->order || from->image->type != to->image->type)
    return ocl_answer(CL_IMAGE_FORMAT_MISMATCH);
  if (!in_image(from, from_origin, region) || !in_image(to, to_origin, region))
    return ocl_answer(CL_INVALID_VALUE);
  if (from->addr == to->addr) {
    int apart = 0;
    for (int i = 0; i < 3; i++)
      if (from_origin[i] + region[i] <= to_origin[i] || to_origin[i] + region[i] <= from_origin[i])
        apart = 1;
    if (!apart) return ocl_answer(CL_MEM_COPY_OVERLAP);
  }
  command *c = image_command(q, from, region);
  c->memory = from;
  c->other = to;
  c->from_host = dev_host(from->addr);
  c->host = dev_host(to->addr);
  set_image_box(from, from_origin, c->origin, c->pitch);
  set_image_box(to, to_origin, c->other_origin, c->other_pitch);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_COPY_IMAGE, 0, n, waits, event));
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin,
                                  const size_t *region, size_t offset, cl_uint n, const cl_event *waits,
                                  cl_event *event) {
  HELD;
  QUEUE_AND_IMAGE(q, from);
  QUEUE_AND(q, to);
  if (!in_image(from, origin, region)) return ocl_answer(CL_INVALID_VALUE);
  command *c = image_command(q, from, region);
  if (!inside(to, offset, c->region[0] * c->region[1] * c->region[2])) {
    free(c);
    return ocl_answer(CL_INVALID_VALUE);
  }
  c->memory = from;
  c->other = to;
  c->from_host = dev_host(from->addr);
  set_image_box(from, origin, c->origin, c->pitch);
  c->host = (char *)dev_host(to->addr) + offset;
  linear(from, region, 0, 0, c->other_pitch);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_COPY_IMAGE_TO_BUFFER, 0, n, waits, event));
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue q, cl_mem from, cl_mem to, size_t offset,
                                  const size_t *origin, const size_t *region, cl_uint n,
                                  const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, from);
  QUEUE_AND_IMAGE(q, to);
  if (!in_image(to, origin, region)) return ocl_answer(CL_INVALID_VALUE);
  command *c = image_command(q, to, region);
  if (!inside(from, offset, c->region[0] * c->region[1] * c->region[2])) {
    free(c);
    return ocl_answer(CL_INVALID_VALUE);
  }
  c->memory = from;
  c->other = to;
  c->host = dev_host(to->addr);
  set_image_box(to, origin, c->other_origin, c->other_pitch);
  c->from_host = (char *)dev_host(from->addr) + offset;
  linear(to, region, 0, 0, c->pitch);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_COPY_BUFFER_TO_IMAGE, 0, n, waits, event));
}

// Colours that fill images.

static uint16_t half_of(float v) {
  uint32_t u;
  memcpy(&u, &v, sizeof u);
  uint16_t sign = u >> 16 & 0x8000;
  int exponent = (int)(u >> 23 & 0xFF) - 112;
  uint32_t fraction = u & 0x7FFFFF;
  if (exponent == 0xFF - 112) return sign | 0x7C00 | (fraction ? 0x200 : 0);
  if (exponent < -10) return sign;
  if (exponent <= 0) fraction |= 0x800000;
  int shift = exponent > 0 ? 13 : 14 - exponent;
  uint32_t kept = fraction >> shift, rest = fraction & ((1u << shift) - 1), tie = 1u << (shift - 1);
  if (exponent > 0) kept |= (uint32_t)exponent << 10;
  kept += rest > tie || (rest == tie && kept & 1);
  return kept >= 0x7C00 ? sign | 0x7C00 : sign | kept;
}

static double limited(double v, double low, double high) { return v > low ? v < high ? v : high : low; }

// nearest rounds to the nearest whole number, to the even one of two.
static int64_t nearest(double v) {
  int64_t down = (int64_t)v - (v < (int64_t)v);
  double part = v - down;
  return down + (part > 0.5 || (part == 0.5 && down & 1));
}

static double unit(float v, float most) { return nearest(limited(v * most, 0, most)); }

// put_channel writes a channel of a colour, as its type has it.
static void put_channel(unsigned char *to, cl_uint type, const void *colour, int i) {
  float f;
  int32_t s;
  uint32_t u;
  memcpy(&f, (const char *)colour + 4 * i, 4);
  memcpy(&s, &f, 4);
  memcpy(&u, &f, 4);
  switch (type) {
  case SNORM_8: s = nearest(limited(f * 127.0f, -128, 127)); break;
  case SNORM_16: s = nearest(limited(f * 32767.0f, -32768, 32767)); break;
  case UNORM_8: s = unit(f, 255); break;
  case UNORM_16: s = unit(f, 65535); break;
  case SINT_8: s = limited(s, -128, 127); break;
  case SINT_16: s = limited(s, -32768, 32767); break;
  case UINT_8: s = u > 255 ? 255 : u; break;
  case UINT_16: s = u > 65535 ? 65535 : u; break;
  case HALF: s = half_of(f); break;
  }
  memcpy(to, &s, channel_bytes[type - SNORM_8]);
}

// colour_of makes a texel of a colour: four numbers, red, green, blue, alpha.
static void colour_of(const struct image *m, const void *colour, unsigned char texel[16]) {
  static const unsigned char by_order[][4] = {
      [ORDER_A - ORDER_R] = {3},
      [ORDER_RA - ORDER_R] = {0, 3},
      [ORDER_BGRA - ORDER_R] = {2, 1, 0, 3},
      [ORDER_ARGB - ORDER_R] = {3, 0, 1, 2},
      [ORDER_ABGR - ORDER_R] = {3, 2, 1, 0},
  };
  static const unsigned char plain[] = {0, 1, 2, 3};
  const float *f = colour;
  uint32_t packed = 0;
  switch (m->type) {
  case UNORM_565: packed = (int)unit(f[0], 31) << 11 | (int)unit(f[1], 63) << 5 | (int)unit(f[2], 31); break;
  case UNORM_555: packed = (int)unit(f[0], 31) << 10 | (int)unit(f[1], 31) << 5 | (int)unit(f[2], 31); break;
  case UNORM_101010:
    packed = (int)unit(f[0], 1023) << 20 | (int)unit(f[1], 1023) << 10 | (int)unit(f[2], 1023);
    break;
  default: {
    const unsigned char *order = by_order[m->order - ORDER_R];
    if (!order[0] && !order[1]) order = plain;
    size_t bytes = channel_bytes[m->type - SNORM_8];
    for (int i = 0; i < m->size / bytes; i++) put_channel(texel + i * bytes, m->type, colour, order[i]);
    return;
  }
  }
  memcpy(texel, &packed, m->size);
}

static cl_int run_fill_image(command *c) {
  char *to = c->host;
  for (size_t z = 0; z < c->region[2]; z++)
    for (size_t y = 0; y < c->region[1]; y++)
      for (size_t x = 0; x < c->region[0]; x += c->byte_count)
        memcpy(to + box_at(c->other_origin, c->other_pitch, y, z) + x, c->bytes, c->byte_count);
  return CL_SUCCESS;
}

cl_int clEnqueueFillImage(cl_command_queue q, cl_mem m, const void *colour, const size_t *origin,
                          const size_t *region, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND_IMAGE(q, m);
  if (!colour || !in_image(m, origin, region)) return ocl_answer(CL_INVALID_VALUE);
  command *c = image_command(q, m, region);
  c->run = run_fill_image;
  c->memory = m;
  c->host = dev_host(m->addr);
  set_image_box(m, origin, c->other_origin, c->other_pitch);
  c->bytes = calloc(1, 16);
  c->byte_count = m->image->size;
  colour_of(m->image, colour, c->bytes);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_FILL_IMAGE, 0, n, waits, event));
}
