// Functions of OpenCL C that clang 22 leaves imports of in SPIR-V: atomic operations, and conversions. Each
// work-item has words of its own, and all have some together.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void atomics(global int *out, global int *all, local int *tile) {
  int g = get_global_id(0), l = get_local_id(0);
  global int *p = out + 32 * g;
  global uint *u = (global uint *)p;
  global float *f = (global float *)p;
  int v = (g * 7919 ^ g << 9) - 20000;
  p[0] = p[1] = p[2] = p[3] = p[4] = p[5] = v;
  p[6] = atomic_max(p, -5000);
  u[7] = atomic_max(u + 1, 30000u);
  p[8] = atomic_min(p + 2, -5000);
  u[9] = atomic_min(u + 3, 0x80000000u);
  p[10] = atomic_inc(p + 4);
  p[11] = atomic_dec(p + 4);
  p[12] = atomic_dec(p + 5);
  p[13] = atomic_xchg(p + 5, 99);
  f[14] = v;
  f[15] = atomic_xchg(f + 14, 1.5f);
  p[16] = atomic_cmpxchg(p + 5, g & 1 ? 99 : 98, 7);
  p[17] = atomic_xor(p + 5, 3);
  atomic_inc(all);
  atomic_dec(all + 1);
  atomic_max(all + 2, v);
  atomic_min(all + 3, v);
  atomic_max((volatile global uint *)all + 4, (uint)v);
  if (l == 0) tile[0] = tile[1] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(tile, v);
  atomic_inc(tile + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  p[18] = tile[0];
  p[19] = tile[1];
  global long *q = (global long *)(p + 20);
  q[0] = (long)v << 20;
  q[1] = atom_max(q, -5000000000L);
  q[2] = atom_inc(q);
  q[3] = atom_xchg(q, 5L);
  q[4] = atom_min(q, -7L);
}

kernel void conversions(global double4 *d, global int4 *k) {
  int g = get_global_id(0);
  int4 n = (int4)(g * 77777 - 900000, -g, g << 24, 0x7fffffff - g);
  float4 f = convert_float4(n) * 1.25f;
  long4 w = (long4)(n.x, n.y, n.z, n.w) * 0x123456789abL; // convert_long4(int4) loses the sign in clang 22's SPIR-V
  d += 12 * g;
  k += 4 * g;
  d[0] = convert_double4(f);
  d[1] = convert_double4(n);
  d[2] = convert_double4(as_uint4(n));
  d[3] = convert_double4(convert_uchar4_sat(n));
  d[4] = convert_double4(w);
  d[5] = convert_double4_rtp(w);
  d[6] = convert_double4_rtz(as_ulong4(w));
  d[7] = (double4)(convert_double(f.x), convert_double_rtn(n.y), convert_double(d[1].z), convert_double((short)n.w));
  d[8] = convert_double4(convert_float4_rtp(d[5]));
  d[9] = convert_double4(d[0]);
  k[0] = convert_int4_sat(d[5]);
  k[1] = as_int4(convert_uint4_sat_rtp(d[0] * 0.3));
  k[2] = convert_int4_rte(d[0] * 1e-3);
  k[3] = convert_int4(convert_ushort4_sat_rtn(d[0] * 1e-2));
}
