// reduce_cl: a float sum in a tree in LDS that the launch provides (a __local
// pointer argument), and a maximum in LDS of the kernel's own.
void barrier_local(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__kernel void reduce_cl(__global const float *input, __global float *sums,
                        __global float *tops, __local float *partial, int n) {
  __local float top[64];
  int local_id = __builtin_amdgcn_workitem_id_x();
  int group = __builtin_amdgcn_workgroup_id_x();
  int size = __builtin_amdgcn_workgroup_size_x();
  int i = group * size + local_id;
  float mine = i < n ? input[i] : 0.0f;
  partial[local_id] = mine;
  top[local_id % 64] = 0.0f;
  barrier_local();
  if (local_id < 64)
    top[local_id] = __builtin_fmaxf(mine, partial[local_id + size / 2]);
  for (int stride = size / 2; stride > 0; stride >>= 1) {
    barrier_local();
    if (local_id < stride) {
      float other = partial[local_id + stride];
      partial[local_id] += other;
      if (stride < 64)
        top[local_id] = __builtin_fmaxf(top[local_id], top[local_id + stride]);
    }
  }
  if (local_id == 0) {
    sums[group] = partial[0];
    tops[group] = top[0];
  }
}
