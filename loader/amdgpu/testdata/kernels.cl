// Kernels that use what OpenCL puts in the metadata: dynamic local memory, an
// image, a sampler, qualifiers, access, workgroup sizes, printf's buffer.
__attribute__((noinline)) int triple(int x) { return x * 3; }

kernel void local_sum(global const int *restrict in, global volatile int *out, local int *scratch, constant int *c,
                      int n) {
  int i = __builtin_amdgcn_workitem_id_x();
  scratch[i] = in[i] + c[0];
  out[i] = triple(n) + scratch[0];
}

kernel __attribute__((reqd_work_group_size(8, 4, 2))) void required(global int *q, char4 bytes, double d) {
  q[0] = bytes.x + (int)d;
}

kernel __attribute__((work_group_size_hint(16, 1, 1), vec_type_hint(float4))) void
hinted(read_only image2d_t img, write_only image1d_t img1, sampler_t s, global float *q) {
  q[0] = 1;
}
