// How many of the workgroup's numbers are above a limit.
kernel void count(global const int *in, global int *out, int limit) {
  local int many;
  if (in[get_global_id(0)] > limit)
    atomic_inc(&many);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = many;
}
