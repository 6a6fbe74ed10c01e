// vectors: OpenCL's vectors of every length in private and global memory, and
// pointers to private memory and LDS.
float4 turned(float4 v, float by) {
  float4 r = v.yzwx;
  r.x += by;
  return r;
}

__kernel void vectors(__global float4 *quads, __global int2 *pairs) {
  __local float4 shared[64];
  int id = __builtin_amdgcn_workitem_id_x();
  float4 v = quads[id];
  int2 w = (int2)(id, id + 1);
  char8 bytes = (char8)(1, 2, 3, 4, 5, 6, 7, id);
  float3 three = v.xyz;
  float4 *p = &v;
  __local float4 *q = &shared[id];
  *q = v * 2.0f;
  if (id > 3)
    v = turned(*p, w.y);
  quads[id] = v + *q;
  pairs[id] = w + (int2)(bytes.s7, (int)three.z);
}
