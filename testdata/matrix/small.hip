// small.hip: products of matrices whose elements are floats of 8, 6 or 4 bits with scales, by the instructions
// of gfx950 that have them. An element is a byte here; a lane puts those of its row into its registers.
typedef int v8i __attribute__((ext_vector_type(8)));
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
#define DEVICE __attribute__((device)) static inline

// Where the elements of a lane lie in its row: bytes in two pieces of 16, smaller ones in one of 32 (ROCm
// composable_kernel, test/mx_mfma_op/mx_mfma_op.hpp).
DEVICE int place(int format, int rows, int group, int item) {
  return format < 2 ? item / 16 * 16 * (64 / rows) + group * 16 + item % 16 : group * 32 + item;
}

DEVICE v8i pack(int format, int rows, int depth, const unsigned char *m) {
  const int bits = format < 2 ? 8 : format < 4 ? 6 : 4;
  int lane = __builtin_amdgcn_workitem_id_x(), row = lane % rows, group = lane / rows;
  v8i packed = 0;
  for (int i = 0; i < 32; i++) {
    unsigned long long v = (unsigned long long)m[row * depth + place(format, rows, group, i)] << i * bits % 32;
    packed[i * bits / 32] |= (unsigned)v;
    if (v >> 32)
      packed[i * bits / 32 + 1] |= (unsigned)(v >> 32);
  }
  return packed;
}

// out = a * b, of rows of a and columns of b, each with a scale for 32 elements.
template <int FA, int FB>
DEVICE void product16(const unsigned char *a, const unsigned char *b, const unsigned char *sa, const unsigned char *sb,
                      float *out) {
  int lane = __builtin_amdgcn_workitem_id_x(), column = lane % 16, group = lane / 16;
  v4f c = 0;
  c = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(pack(FA, 16, 128, a), pack(FB, 16, 128, b), c, FA, FB, 0,
                                                       sa[column * 4 + group], 0, sb[column * 4 + group]);
  for (int i = 0; i < 4; i++)
    out[(group * 4 + i) * 16 + column] = c[i];
}

template <int FA, int FB>
DEVICE void product32(const unsigned char *a, const unsigned char *b, const unsigned char *sa, const unsigned char *sb,
                      float *out) {
  int lane = __builtin_amdgcn_workitem_id_x(), column = lane % 32, group = lane / 32;
  v16f c = 0;
  c = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(pack(FA, 32, 64, a), pack(FB, 32, 64, b), c, FA, FB, 0,
                                                      sa[column * 2 + group], 0, sb[column * 2 + group]);
  for (int i = 0; i < 16; i++)
    out[(i / 4 * 8 + group * 4 + i % 4) * 32 + column] = c[i];
}

#define PRODUCT(FA, FB)                                                                                          \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void wide_##FA##_##FB(                 \
      const unsigned char *a, const unsigned char *b, const unsigned char *sa, const unsigned char *sb,          \
      float *out) {                                                                                              \
    product32<FA, FB>(a, b, sa, sb, out);                                                                        \
  }                                                                                                              \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void deep_##FA##_##FB(                 \
      const unsigned char *a, const unsigned char *b, const unsigned char *sa, const unsigned char *sb,          \
      float *out) {                                                                                              \
    product16<FA, FB>(a, b, sa, sb, out);                                                                        \
  }

PRODUCT(0, 0)
PRODUCT(1, 0)
PRODUCT(0, 2)
PRODUCT(3, 4)
PRODUCT(4, 4)
PRODUCT(2, 1)
