// Functions that the device libraries have with an overflow that C leaves undefined: a compiler that is
// newer than they are makes something else of it. These take their places.
//
// It is compiled without the declarations of OpenCL C, as images.cl is.

#define ABS_DIFF(T)                                                                                 \
  unsigned T __attribute__((overloadable, const)) abs_diff(T x, T y) {                              \
    return x > y ? (unsigned T)x - (unsigned T)y : (unsigned T)y - (unsigned T)x;                   \
  }
#define ABS_DIFF_OF(T, N)                                                                           \
  typedef T T##N __attribute__((ext_vector_type(N)));                                               \
  typedef unsigned T u##T##N __attribute__((ext_vector_type(N)));                                   \
  u##T##N __attribute__((overloadable, const)) abs_diff(T##N x, T##N y) {                           \
    u##T##N a = __builtin_astype(x, u##T##N), b = __builtin_astype(y, u##T##N);                     \
    return x > y ? a - b : b - a;                                                                   \
  }
#define SIZES(T)                                                                                    \
  ABS_DIFF(T)                                                                                       \
  ABS_DIFF_OF(T, 2)                                                                                 \
  ABS_DIFF_OF(T, 3)                                                                                 \
  ABS_DIFF_OF(T, 4)                                                                                 \
  ABS_DIFF_OF(T, 8)                                                                                 \
  ABS_DIFF_OF(T, 16)

SIZES(char)
SIZES(short)
SIZES(int)
SIZES(long)
