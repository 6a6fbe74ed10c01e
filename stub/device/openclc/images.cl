// The functions of OpenCL C for images and samplers ("The OpenCL C Specification" 3.0, section 6.15.15
// and chapter 8), over memory: what a kernel gets for an image is the address of a description that the
// host has written, and a sampler is its properties as the constants of OpenCL C have them. So they run
// on processors that have no instructions for images, too.
//
// It is compiled without the declarations of OpenCL C, which it would have to match one by one.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Where descriptions lie: PTX has instructions for constants that reach no other memory.
#ifdef __NVPTX__
#define described global
#else
#define described constant
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef half half4 __attribute__((ext_vector_type(4)));

// An image, as ocl_image.c of the client library describes it. What a dimension has not got is 1. The
// layers of an array of 1D images are rows, those of an array of 2D images are slices.
typedef struct {
  ulong texels; // their address
  uint order, type;
  int width, height, depth, layers;
  ulong row, slice; // bytes
  uint size;        // bytes of a texel
  uchar outside[4]; // loaded to tell checkers that a texel outside is read, and that one is written
} image;

enum { R = 0x10B0, A, RG, RA, RGB, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE, DEPTH = 0x10BD, ABGR = 0x10C3 };
enum { SNORM_8 = 0x10D0, SNORM_16, UNORM_8, UNORM_16, UNORM_565, UNORM_555, UNORM_101010, SINT_8, SINT_16,
       SINT_32, UINT_8, UINT_16, UINT_32, HALF, FLOAT };

// Samplers.
enum { NORMALIZED = 1, TO_EDGE = 2, CLAMP = 4, REPEAT = 6, MIRRORED = 8, ADDRESSING = 0xE, LINEAR = 0x20 };

constant void *__translate_sampler_initializer(uint properties) {
  return (constant void *)(ulong)properties;
}

static float floor_(float x) { return __builtin_floorf(x); }
static float rint_(float x) { return __builtin_rintf(x); }
static float within(float x, float low, float high) {
  return __builtin_fminf(__builtin_fmaxf(x, low), high);
}
static int between(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

static int components(uint order) {
  switch (order) {
  case R: case A: case INTENSITY: case LUMINANCE: case DEPTH: return 1;
  case RG: case RA: return 2;
  case RGB: return 3;
  }
  return 4;
}

// place arranges components as a kernel sees them: red, green, blue, alpha.
#define PLACE(V, T)                                       \
  static V place_##V(uint order, const T *c) {            \
    switch (order) {                                      \
    case R: return (V)(c[0], 0, 0, 1);                    \
    case A: return (V)(0, 0, 0, c[0]);                    \
    case RG: return (V)(c[0], c[1], 0, 1);                \
    case RA: return (V)(c[0], 0, 0, c[1]);                \
    case RGB: return (V)(c[0], c[1], c[2], 1);            \
    case BGRA: return (V)(c[2], c[1], c[0], c[3]);        \
    case ARGB: return (V)(c[1], c[2], c[3], c[0]);        \
    case ABGR: return (V)(c[3], c[2], c[1], c[0]);        \
    case INTENSITY: return (V)(c[0]);                     \
    case LUMINANCE: return (V)(c[0], c[0], c[0], 1);      \
    case DEPTH: return (V)(c[0], 0, 0, 0);                \
    }                                                     \
    return (V)(c[0], c[1], c[2], c[3]);                   \
  }                                                       \
  static void unplace_##V(uint order, V v, T *c) {        \
    c[0] = v.x, c[1] = v.y, c[2] = v.z, c[3] = v.w;       \
    switch (order) {                                      \
    case A: c[0] = v.w; break;                            \
    case RA: c[1] = v.w; break;                           \
    case BGRA: c[0] = v.z, c[2] = v.x; break;             \
    case ARGB: c[0] = v.w, c[1] = v.x, c[2] = v.y, c[3] = v.z; break; \
    case ABGR: c[0] = v.w, c[1] = v.z, c[2] = v.y, c[3] = v.x; break; \
    }                                                     \
  }                                                       \
  /* Beyond an image there is its border. */              \
  static V border_##V(uint order) {                       \
    return (V)(0, 0, 0, order == R || order == RG || order == RGB || order == LUMINANCE); \
  }
PLACE(float4, float)
PLACE(int4, int)
PLACE(uint4, uint)

// Component i of the texel at p, by the type of its channels.
static float get_float(const global uchar *p, uint type, int i) {
  switch (type) {
  case SNORM_8: return __builtin_fmaxf(((const global signed char *)p)[i] / 127.0f, -1.0f);
  case SNORM_16: return __builtin_fmaxf(((const global short *)p)[i] / 32767.0f, -1.0f);
  case UNORM_8: return p[i] / 255.0f;
  case UNORM_16: return ((const global ushort *)p)[i] / 65535.0f;
  case UNORM_565: {
    uint v = *(const global ushort *)p;
    return i == 0 ? (v >> 11) / 31.0f : i == 1 ? (v >> 5 & 63) / 63.0f : (v & 31) / 31.0f;
  }
  case UNORM_555: return (*(const global ushort *)p >> (10 - 5 * i) & 31) / 31.0f;
  case UNORM_101010: return (*(const global uint *)p >> (20 - 10 * i) & 1023) / 1023.0f;
  case HALF: return (float)((const global half *)p)[i];
  }
  return ((const global float *)p)[i];
}

static uint get_uint(const global uchar *p, uint type, int i) {
  switch (type) {
  case SINT_8: return (uint)((const global signed char *)p)[i];
  case SINT_16: return (uint)((const global short *)p)[i];
  case UINT_8: return p[i];
  case UINT_16: return ((const global ushort *)p)[i];
  }
  return ((const global uint *)p)[i];
}

static int get_int(const global uchar *p, uint type, int i) { return (int)get_uint(p, type, i); }

// packed is a value as bits of a channel, of which there are most at most.
static uint packed(float v, uint most, uint shift) { return (uint)rint_(within(v, 0, 1) * most) << shift; }

static void put_float(global uchar *p, uint type, int i, float v) {
  switch (type) {
  case SNORM_8: ((global signed char *)p)[i] = (signed char)rint_(within(v * 127.0f, -128, 127)); break;
  case SNORM_16: ((global short *)p)[i] = (short)rint_(within(v * 32767.0f, -32768, 32767)); break;
  case UNORM_8: p[i] = (uchar)packed(v, 255, 0); break;
  case UNORM_16: ((global ushort *)p)[i] = (ushort)packed(v, 65535, 0); break;
  case HALF: ((global half *)p)[i] = (half)v; break;
  default: ((global float *)p)[i] = v;
  }
}

static void put_uint(global uchar *p, uint type, int i, uint v) {
  switch (type) {
  case UINT_8: p[i] = v > 255 ? 255 : v; break;
  case UINT_16: ((global ushort *)p)[i] = v > 65535 ? 65535 : v; break;
  default: ((global uint *)p)[i] = v;
  }
}

static void put_int(global uchar *p, uint type, int i, int v) {
  switch (type) {
  case SINT_8: p[i] = between(v, -128, 127); break;
  case SINT_16: ((global ushort *)p)[i] = between(v, -32768, 32767); break;
  default: ((global uint *)p)[i] = v;
  }
}

// texel is where a texel is, or 0 if it is not in the image.
static global uchar *texel(described image *m, int x, int y, int z) {
  if ((uint)x >= (uint)m->width || (uint)y >= (uint)m->height || (uint)z >= (uint)m->depth) return 0;
  return (global uchar *)(m->texels + z * m->slice + y * m->row + (ulong)x * m->size);
}

// inside_or_told tells checkers of a texel that is in no image, where the program should know.
static void inside_or_told(described image *m, int x, int y, int z, int written) {
  ulong byte = (ulong)m + __builtin_offsetof(image, outside) + written;
  if (!texel(m, x, y, z)) (void)*(const volatile global uchar *)byte;
}

#define TEXELS(V, T)                                                              \
  static V load_##V(described image *m, int x, int y, int z) {                     \
    const global uchar *p = texel(m, x, y, z);                                    \
    if (!p) return border_##V(m->order);                                          \
    T c[4] = {0, 0, 0, 0};                                                        \
    int n = components(m->order);                                                 \
    for (int i = 0; i < 4; i++)                                                   \
      if (i < n) c[i] = get_##T(p, m->type, i);                                   \
    return place_##V(m->order, c);                                                \
  }
TEXELS(float4, float)
TEXELS(int4, int)
TEXELS(uint4, uint)

static void store_float4(described image *m, int x, int y, int z, float4 v) {
  global uchar *p = texel(m, x, y, z);
  if (!p) return;
  float c[4];
  unplace_float4(m->order, v, c);
  switch (m->type) {
  case UNORM_565:
    *(global ushort *)p = packed(c[0], 31, 11) | packed(c[1], 63, 5) | packed(c[2], 31, 0);
    return;
  case UNORM_555:
    *(global ushort *)p = packed(c[0], 31, 10) | packed(c[1], 31, 5) | packed(c[2], 31, 0);
    return;
  case UNORM_101010:
    *(global uint *)p = packed(c[0], 1023, 20) | packed(c[1], 1023, 10) | packed(c[2], 1023, 0);
    return;
  }
  int n = components(m->order);
  for (int i = 0; i < 4; i++)
    if (i < n) put_float(p, m->type, i, c[i]);
}

#define STORE(V, T)                                                               \
  static void store_##V(described image *m, int x, int y, int z, V v) {            \
    global uchar *p = texel(m, x, y, z);                                          \
    if (!p) return;                                                               \
    T c[4];                                                                       \
    unplace_##V(m->order, v, c);                                                  \
    int n = components(m->order);                                                 \
    for (int i = 0; i < 4; i++)                                                   \
      if (i < n) put_##T(p, m->type, i, c[i]);                                    \
  }
STORE(int4, int)
STORE(uint4, uint)

// A place along one dimension of n texels: two texels, and how much there is of the second.
typedef struct {
  int first, second;
  float part;
} place;

static int edge(int i, int n, uint sampler) {
  return (sampler & ADDRESSING) == TO_EDGE ? between(i, 0, n - 1) : i;
}

static place along(float s, int n, uint sampler, int is_linear) {
  uint addressing = sampler & ADDRESSING;
  if (addressing == REPEAT) s = s - floor_(s);
  else if (addressing == MIRRORED) s = __builtin_fabsf(s - 2 * rint_(0.5f * s));
  if (sampler & NORMALIZED) s = s * n;
  const float far = 1 << 30;
  s = within(s, -far, far);
  place p;
  if (!is_linear) {
    int i = (int)floor_(s);
    if (addressing == REPEAT && i > n - 1) i -= n;
    if (addressing == MIRRORED && i > n - 1) i = n - 1;
    p.first = p.second = edge(i, n, sampler);
    p.part = 0;
    return p;
  }
  float low = floor_(s - 0.5f);
  p.part = s - 0.5f - low;
  p.first = (int)low;
  p.second = p.first + 1;
  if (addressing == REPEAT) {
    if (p.first < 0) p.first += n;
    if (p.second > n - 1) p.second -= n;
  } else if (addressing == MIRRORED) {
    p.first = between(p.first, 0, n - 1);
    p.second = between(p.second, 0, n - 1);
  } else {
    p.first = edge(p.first, n, sampler);
    p.second = edge(p.second, n, sampler);
  }
  return p;
}

static place layer(float s, int n) {
  place p = {between((int)rint_(within(s, -1, n)), 0, n - 1)};
  p.second = p.first;
  return p;
}

// A position in an image of so many dimensions, of an array if layers follow them.
typedef struct {
  place x, y, z;
} position;

static position find(described image *m, uint sampler, int is_linear, int dims, float x, float y, float z) {
  position p;
  p.x = along(x, m->width, sampler, is_linear);
  p.y = dims > 1 ? along(y, m->height, sampler, is_linear) : layer(y, m->height);
  p.z = dims > 2 ? along(z, m->depth, sampler, is_linear) : layer(z, m->depth);
  return p;
}

static float4 sample_float4(described image *m, uint sampler, int dims, float x, float y, float z) {
  position p = find(m, sampler, sampler & LINEAR, dims, x, y, z);
  if (!(sampler & LINEAR)) return load_float4(m, p.x.first, p.y.first, p.z.first);
  float4 sum = 0;
  for (int i = 0; i < 1 << dims; i++) {
    int s = i & 1 ? p.x.second : p.x.first, t = i & 2 ? p.y.second : p.y.first;
    float4 v = load_float4(m, s, t, i & 4 ? p.z.second : p.z.first);
    float part = i & 1 ? p.x.part : 1 - p.x.part;
    if (dims > 1) part *= i & 2 ? p.y.part : 1 - p.y.part;
    if (dims > 2) part *= i & 4 ? p.z.part : 1 - p.z.part;
    sum += v * part;
  }
  return sum;
}

// Integers are not mixed.
#define SAMPLE(V)                                                                                          \
  static V sample_##V(described image *m, uint sampler, int dims, float x, float y, float z) {              \
    position p = find(m, sampler, 0, dims, x, y, z);                                                       \
    return load_##V(m, p.x.first, p.y.first, p.z.first);                                                   \
  }
SAMPLE(int4)
SAMPLE(uint4)

// fetch reads at whole coordinates by way of a sampler.
#define FETCH(V)                                                                                           \
  static V fetch_##V(described image *m, uint sampler, int dims, int x, int y, int z) {                     \
    x = edge(x, m->width, sampler);                                                                        \
    y = dims > 1 ? edge(y, m->height, sampler) : between(y, 0, m->height - 1);                             \
    z = dims > 2 ? edge(z, m->depth, sampler) : between(z, 0, m->depth - 1);                               \
    return load_##V(m, x, y, z);                                                                             \
  }
FETCH(float4)
FETCH(int4)
FETCH(uint4)

#define FUNCTION __attribute__((overloadable))
#define MAP(i) __builtin_astype(i, described image *)
#define BITS(s) (uint) __builtin_astype(s, ulong)

// What follows is for each type of image: I and F are the types of coordinates, D the dimensions that are
// sampled, and X, Y and Z the coordinates in p.
#define READ(NAME, V, IMAGE, I, F, D, X, Y, Z)                                                             \
  FUNCTION V NAME(read_only IMAGE i, sampler_t s, I p) { return fetch_##V(MAP(i), BITS(s), D, X, Y, Z); }  \
  FUNCTION V NAME(read_only IMAGE i, sampler_t s, F p) { return sample_##V(MAP(i), BITS(s), D, X, Y, Z); }
#define GET(NAME, V, ACCESS, IMAGE, I, X, Y, Z)                                                            \
  FUNCTION V NAME(ACCESS IMAGE i, I p) {                                                                   \
    inside_or_told(MAP(i), X, Y, Z, 0);                                                                    \
    return load_##V(MAP(i), X, Y, Z);                                                                      \
  }
#define PUT(NAME, V, ACCESS, IMAGE, I, X, Y, Z)                                                            \
  FUNCTION void NAME(ACCESS IMAGE i, I p, V v) {                                                           \
    inside_or_told(MAP(i), X, Y, Z, 1);                                                                    \
    store_##V(MAP(i), X, Y, Z, v);                                                                         \
  }

#define ASK(ACCESS, IMAGE)                                                                                 \
  FUNCTION int get_image_width(ACCESS IMAGE i) { return MAP(i)->width; }                                   \
  FUNCTION int get_image_channel_data_type(ACCESS IMAGE i) { return MAP(i)->type; }                        \
  FUNCTION int get_image_channel_order(ACCESS IMAGE i) { return MAP(i)->order; }
#define ASK_PLANE(ACCESS, IMAGE)                                                                           \
  FUNCTION int get_image_height(ACCESS IMAGE i) { return MAP(i)->height; }                                 \
  FUNCTION int2 get_image_dim(ACCESS IMAGE i) { return (int2)(MAP(i)->width, MAP(i)->height); }
#define ASK_LAYERS(ACCESS, IMAGE)                                                                          \
  FUNCTION ulong get_image_array_size(ACCESS IMAGE i) { return MAP(i)->layers; }

#define GETS(ACCESS, IMAGE, I, X, Y, Z)                                                                    \
  GET(read_imagef, float4, ACCESS, IMAGE, I, X, Y, Z)                                                      \
  GET(read_imagei, int4, ACCESS, IMAGE, I, X, Y, Z)                                                        \
  GET(read_imageui, uint4, ACCESS, IMAGE, I, X, Y, Z)                                                      \
  FUNCTION half4 read_imageh(ACCESS IMAGE i, I p) {                                                        \
    return __builtin_convertvector(read_imagef(i, p), half4);                                              \
  }
#define PUTS(ACCESS, IMAGE, I, X, Y, Z)                                                                    \
  PUT(write_imagef, float4, ACCESS, IMAGE, I, X, Y, Z)                                                     \
  PUT(write_imagei, int4, ACCESS, IMAGE, I, X, Y, Z)                                                       \
  PUT(write_imageui, uint4, ACCESS, IMAGE, I, X, Y, Z)                                                     \
  FUNCTION void write_imageh(ACCESS IMAGE i, I p, half4 v) {                                               \
    write_imagef(i, p, __builtin_convertvector(v, float4));                                                \
  }
#define READS(IMAGE, I, F, D, X, Y, Z)                                                                     \
  READ(read_imagef, float4, IMAGE, I, F, D, X, Y, Z)                                                       \
  READ(read_imagei, int4, IMAGE, I, F, D, X, Y, Z)                                                         \
  READ(read_imageui, uint4, IMAGE, I, F, D, X, Y, Z)                                                       \
  FUNCTION half4 read_imageh(read_only IMAGE i, sampler_t s, I p) {                                        \
    return __builtin_convertvector(read_imagef(i, s, p), half4);                                           \
  }                                                                                                        \
  FUNCTION half4 read_imageh(read_only IMAGE i, sampler_t s, F p) {                                        \
    return __builtin_convertvector(read_imagef(i, s, p), half4);                                           \
  }

// EACH does something for each access that images can have.
#define EACH(DO, IMAGE) DO(read_only, IMAGE) DO(write_only, IMAGE) DO(read_write, IMAGE)
#define ALL(IMAGE, I, X, Y, Z)                                                                             \
  GETS(read_only, IMAGE, I, X, Y, Z)                                                                       \
  GETS(read_write, IMAGE, I, X, Y, Z)                                                                      \
  PUTS(write_only, IMAGE, I, X, Y, Z)                                                                      \
  PUTS(read_write, IMAGE, I, X, Y, Z)                                                                      \
  EACH(ASK, IMAGE)

ALL(image1d_t, int, p, 0, 0)
READS(image1d_t, int, float, 1, p, 0, 0)
ALL(image1d_buffer_t, int, p, 0, 0)
ALL(image1d_array_t, int2, p.x, p.y, 0)
READS(image1d_array_t, int2, float2, 1, p.x, p.y, 0)
EACH(ASK_LAYERS, image1d_array_t)
ALL(image2d_t, int2, p.x, p.y, 0)
READS(image2d_t, int2, float2, 2, p.x, p.y, 0)
EACH(ASK_PLANE, image2d_t)
ALL(image2d_array_t, int4, p.x, p.y, p.z)
READS(image2d_array_t, int4, float4, 2, p.x, p.y, p.z)
EACH(ASK_PLANE, image2d_array_t)
EACH(ASK_LAYERS, image2d_array_t)
ALL(image3d_t, int4, p.x, p.y, p.z)
READS(image3d_t, int4, float4, 3, p.x, p.y, p.z)

#define ASK_SPACE(ACCESS, IMAGE)                                                                           \
  FUNCTION int get_image_height(ACCESS IMAGE i) { return MAP(i)->height; }                                 \
  FUNCTION int get_image_depth(ACCESS IMAGE i) { return MAP(i)->depth; }                                   \
  FUNCTION int4 get_image_dim(ACCESS IMAGE i) {                                                            \
    return (int4)(MAP(i)->width, MAP(i)->height, MAP(i)->depth, 0);                                        \
  }
EACH(ASK_SPACE, image3d_t)

// Images of depths are of one number.
#define DEPTHS(IMAGE, I, F, X, Y, Z)                                                                       \
  EACH(ASK, IMAGE)                                                                                         \
  EACH(ASK_PLANE, IMAGE)                                                                                   \
  FUNCTION float read_imagef(read_only IMAGE i, sampler_t s, I p) {                                        \
    return fetch_float4(MAP(i), BITS(s), 2, X, Y, Z).x;                                                    \
  }                                                                                                        \
  FUNCTION float read_imagef(read_only IMAGE i, sampler_t s, F p) {                                        \
    return sample_float4(MAP(i), BITS(s), 2, X, Y, Z).x;                                                   \
  }                                                                                                        \
  FUNCTION float read_imagef(read_only IMAGE i, I p) { return load_float4(MAP(i), X, Y, Z).x; }              \
  FUNCTION float read_imagef(read_write IMAGE i, I p) { return load_float4(MAP(i), X, Y, Z).x; }             \
  FUNCTION void write_imagef(write_only IMAGE i, I p, float v) {                                           \
    store_float4(MAP(i), X, Y, Z, (float4)(v));                                                            \
  }                                                                                                        \
  FUNCTION void write_imagef(read_write IMAGE i, I p, float v) {                                           \
    store_float4(MAP(i), X, Y, Z, (float4)(v));                                                            \
  }
DEPTHS(image2d_depth_t, int2, float2, p.x, p.y, 0)
DEPTHS(image2d_array_depth_t, int4, float4, p.x, p.y, p.z)
EACH(ASK_LAYERS, image2d_array_depth_t)
