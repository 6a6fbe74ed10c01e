// Kernels in which the result of an inexact instruction goes somewhere. A comment after `;` says of a line
// what happens there, for one kernel: it is the source (KERNEL_source) of what reaches an address
// (KERNEL_address) or decides who goes on (KERNEL_branch); KERNEL_data is a kernel whose results are left
// in memory. Each is launched with 64 work-items in a workgroup, and with buffers out, in and table.
#include "device.h"
#define X (in[I] * 0.03125f)
#define KERNEL __attribute__((reqd_work_group_size(SIZE, 1, 1))) kernel void
#define ARGUMENTS (global int *out, global float *in, global int *table)

KERNEL stored ARGUMENTS {
  out[I] = (int)(100.f * EXP2(X)); // ; stored_source stored_data
}

KERNEL indexed ARGUMENTS {
  int at = (int)EXP2(X); // ; indexed_source indexed_data
  out[I] = table[at & 63]; // ; indexed_address
}

KERNEL branched ARGUMENTS {
  float e = EXP2(X); // ; branched_source
  if (e > 2.5f) // ; branched_branch
    out[I] = 7;
}

KERNEL looped ARGUMENTS {
  int n = (int)FIRST(EXP2(X)), sum = 0; // ; looped_source
  for (int k = 0; k < n; k++) // ; looped_branch
    sum += table[k] ^ sum << 1;
  out[I] = sum; // the loop decides what it is, no value that comes from exp2
}

KERNEL selected ARGUMENTS {
  float e = EXP2(X); // ; selected_source selected_data
  int less = -(e < 2.5f);
  out[I] = (less & table[I & 63]) | (~less & I);
}

KERNEL shared ARGUMENTS {
  local float row[SIZE];
  row[LOCAL_X] = EXP2(X); // ; shared_source shared_data
  BARRIER();
  out[I] = table[(int)row[LOCAL_X ^ 5] & 63]; // ; shared_address
}

KERNEL spilled ARGUMENTS {
  volatile float keep[4];
  for (int k = 0; k < 4; k++)
    keep[k] = in[I];
  keep[I & 3] = EXP2(X); // ; spilled_source spilled_data
  out[I] = table[(int)keep[I & 3] & 63]; // ; spilled_address
}

KERNEL stepped ARGUMENTS {
  out[I] = (int)EXP2(X); // ; stepped_source stepped_data
  BARRIER();
  table[out[I ^ 1] & 63] = 1; // ; stepped_address
}

KERNEL unused ARGUMENTS {
  volatile float e = EXP2(X); // ; unused_source
  e = 1.f;
  out[I] = (int)e;
}

KERNEL added ARGUMENTS {
  ADD(&table[0], (int)EXP2(X)); // ; added_source added_data
}

// A quotient is rounded correctly, whatever approximation it begins with, if with any;
// SPIR-V's and Intel's need not be.
KERNEL divided ARGUMENTS {
  float q = in[I] / (in[I] + 3.f); // ; divided_source co divided_source spv divided_source zebin
  out[I] = table[(int)(q * 8.f) & 63]; // ; divided_address spv divided_address zebin divided_data spv divided_data zebin
}

KERNEL exact ARGUMENTS {
  out[I] = (int)(in[I] * 3.f) + table[I & 63];
}
