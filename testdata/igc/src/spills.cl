// Kernels that need more registers than there are: IGC spills them to scratch by blocks, of which each channel
// writes its own dwords.
#define MANY 72

#ifndef NARROW
#define NARROW 8 // the least width that there is
#endif

// All at once, and read again behind a barrier.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void pressure(__global uint *out, __global const uint *in) {
  uint i = get_global_id(0), v[MANY], sum = 0;
#pragma unroll
  for (uint k = 0; k < MANY; k++)
    v[k] = in[i * 5 + k * 3 & 127];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < MANY; k++)
    sum = sum * v[k] + v[MANY - 1 - k];
  out[i] = sum;
}

// Some are written by some work-items alone.
__attribute__((intel_reqd_sub_group_size(NARROW)))
__kernel void parted(__global uint *out, __global const uint *in) {
  uint i = get_global_id(0), v[2 * MANY], sum = 0;
#pragma unroll
  for (uint k = 0; k < 2 * MANY; k++)
    v[k] = in[i * 7 + k & 127];
  for (uint turn = 0; turn < 3; turn++) {
    if (in[i + turn] & 1) {
#pragma unroll
      for (uint k = 0; k < 2 * MANY; k += 2)
        v[k] = v[k] * 5 + in[i + k & 127];
    } else {
#pragma unroll
      for (uint k = 1; k < 2 * MANY; k += 2)
        v[k] += v[k - 1] ^ turn;
    }
  }
#pragma unroll
  for (uint k = 0; k < 2 * MANY; k++)
    sum = sum * v[k] + v[2 * MANY - 1 - k];
  out[i] = sum;
}
