// vectors4: vectors of OpenCL C: arithmetic, swizzles, comparisons whose results are masks, and selection by them.
__attribute__((noinline)) void look(int id) { __asm__ volatile("" : : "r"(id)); }

__kernel void vectors4(__global const uint *in, __global uint *out, int n) {
  int id = GLOBAL_ID;
  if (id >= n)
    return;
  int4 a = {(int)(in[id] & 255), (int)(in[id] >> 8 & 255), (int)(in[id] >> 16 & 255), (int)(in[id] >> 24)};
  int4 b = a.wzyx * 2 - 100;
  int4 larger = a > b;
  int4 most = (larger & a) | (~larger & b);
  float4 f = {(float)a.x, (float)a.y, (float)a.z, (float)a.w};
  float4 g = f * 0.5f + f.yxwz;
  short2 pair = {(short)most.x, (short)(most.y - most.z)};
  uchar4 bytes = {(uchar)b.x, (uchar)b.y, (uchar)(b.z >> 1), (uchar)most.w};
  pair.yx = pair;
  float sum = g.x + g.y * g.z - g.w;
  look(id);
  out[4 * id] = (uint)(most.x + most.y + most.z + most.w);
  out[4 * id + 1] = (uint)sum;
  out[4 * id + 2] = (uint)(pair.x * 3 + pair.y);
  out[4 * id + 3] = (uint)bytes.s0 | (uint)bytes.s1 << 8 | (uint)bytes.s2 << 16 | (uint)bytes.s3 << 24;
}
