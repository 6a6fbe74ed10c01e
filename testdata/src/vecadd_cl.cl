// vecadd_cl: vecadd in OpenCL C, two floats per work-item, without the
// OpenCL library: the work-item functions are the compiler's builtins.
__kernel void vecadd_cl(__global const float2 *a, __global const float2 *b,
                        __global float2 *c, uint n) {
  uint i = __builtin_amdgcn_workgroup_id_x() *
               __builtin_amdgcn_workgroup_size_x() +
           __builtin_amdgcn_workitem_id_x();
  if (i >= n)
    return;
  float2 sum = a[i] + b[i];
  c[i] = sum;
}
