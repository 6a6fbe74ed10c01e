// Kernels of opencl.c.
typedef struct {
  int factor;
  float more;
} scale;

kernel void reverse(global int *out, global const int *in, local int *tile, int n, scale s) {
  int g = get_global_id(0), l = get_local_id(0);
  tile[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g < n) out[g] = tile[get_local_size(0) - 1 - l] * s.factor + (int)s.more;
}

kernel void add(global int *out, int v) {
  int g = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[g] += v;
}

kernel void where(global int *out) { out[get_global_id(0)] = get_global_id(0) * 10 + get_global_offset(0); }

kernel __attribute__((reqd_work_group_size(32, 1, 1))) void says(global int *out) {
  if (get_global_id(0) % 32 == 1) printf("group %d of %d\n", (int)get_group_id(0), (int)get_num_groups(0));
}

kernel void beyond(global int *out, int far) { out[get_global_id(0) + far] = 1; }
