// fails: an assertion that some work-items do not meet, as the HIP headers
// report it: a message to standard error, then a trap of those that failed.
#include "device.h"

extern "C" __device__ unsigned long __ockl_fprintf_stderr_begin();
extern "C" __device__ unsigned long __ockl_fprintf_append_string_n(unsigned long message, const char *text,
                                                                   unsigned long length, unsigned last);
extern "C" __device__ unsigned long __ockl_fprintf_append_args(unsigned long message, unsigned count,
                                                               unsigned long, unsigned long, unsigned long,
                                                               unsigned long, unsigned long, unsigned long,
                                                               unsigned long, unsigned last);

__device__ static unsigned long append(unsigned long message, const char *text, unsigned last) {
  unsigned long n = 0;
  while (text[n++])
    ;
  return __ockl_fprintf_append_string_n(message, text, n, last);
}

__device__ __attribute__((noinline)) void fail(const char *what, const char *file, unsigned line) {
  unsigned long m = __ockl_fprintf_stderr_begin();
  m = append(m, "%s:%u: assertion `%s' failed\n", 0);
  m = append(m, file, 0);
  m = __ockl_fprintf_append_args(m, 1, line, 0, 0, 0, 0, 0, 0, 0);
  append(m, what, 1);
  __builtin_trap();
}

#define ASSERT(x) ((x) ? (void)0 : fail(#x, "fails.hip", __LINE__))

KERNEL fails(const int *in, int *out) {
  int i = GLOBAL_X;
  out[i] = 1;
  ASSERT(in[i] < 100);
  out[i] = 2;
}
