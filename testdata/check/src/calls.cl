// Kernels whose defects are in functions, of which some are inlined: reports name the calls. Where a report is
// expected, the line is marked with the kernel's name, and those of the calls with the name and "by".
// IGC writes debugging information only for programs with one kernel: KERNEL_name leaves that one.
#include "device.h"

#define APART __attribute__((noinline))
#define WITHIN static inline __attribute__((always_inline))

APART int leaf(__global const int *p, int i) {
  return p[i * 1000000];                   // far_fault
}

WITHIN int middle(__global const int *p, int i) {
  return leaf(p, i) + 1;                   // far_fault by
}

APART int outer(__global const int *p, int i) {
  return middle(p, i) * 2;                 // far_fault inlined
}

#if !defined(ONE) || defined(KERNEL_far_fault)
__kernel void far_fault(__global const int *in, __global int *out) {
  int i = GROUP * 128 + LOCAL_ID;
  out[i] = outer(in, i + 1);               // far_fault by
}
#endif

// Of each wave some come to the barrier in a function, and the others wait for them at the end of the branch.
APART void meet(__global int *out, int i) {
  out[i] = 1;
  BARRIER;                                 // some_barrier
}

#if !defined(ONE) || defined(KERNEL_some_barrier)
__kernel void some_barrier(__global const int *in, __global int *out) {
  int i = GROUP * 128 + LOCAL_ID;
  if (in[i] < 5) {                         // some_barrier elsewhere
    meet(out, i);                          // some_barrier by
  }
  out[i] += in[i];
}
#endif

// What races is done in a function, by some work-items called here and by the others there.
APART void shift(__global int *out, int i) {
  out[i + 1] = out[i] + 1;                 // called_race
}

#if !defined(ONE) || defined(KERNEL_called_race)
__kernel void called_race(__global const int *in, __global int *out) {
  int i = GROUP * 128 + LOCAL_ID;
  if (in[i] < 64)
    shift(out, i);                         // called_race by the first
  else
    shift(out, i);                         // called_race by the others
}
#endif
