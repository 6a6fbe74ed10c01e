// Vectors of halves in memory, in every rounding; vectors of numbers at any address; prefetch.
__kernel void cl_half(__global const float *in, __global half *h, __global float *f, __global half *packed) {
    int i = get_global_id(0);
    prefetch(in + i, 1);
    float x = in[i];
    vstore_half(x, i * 32, h);
    vstore_half_rtz(x, i * 32 + 1, h);
    vstore_half_rtp(x, i * 32 + 2, h);
    vstore_half_rtn(x, i * 32 + 3, h);
    float4 v = vload4(i & 3, in);
    vstore_half4(v, i * 8 + 1, h);
    vstore_half4_rtz(v, i * 8 + 2, h);
    vstorea_half4(v, i * 8 + 3, h);
    vstorea_half4_rtp(v, i * 8 + 4, h);
    float3 w = vload3(i & 3, in);
    vstorea_half3(w, i * 8 + 5, h);
    vstore_half3_rtn(w, 0, h + i * 32 + 24);
    f[i * 16] = vload_half(i, packed);
    float4 p = vload_half4(i & 3, packed);
    float3 q = vloada_half3(i & 3, packed);
    f[i * 16 + 1] = p.x; f[i * 16 + 2] = p.y; f[i * 16 + 3] = p.z; f[i * 16 + 4] = p.w;
    f[i * 16 + 5] = q.x; f[i * 16 + 6] = q.y; f[i * 16 + 7] = q.z;
    ushort2 up = upsample((uchar2)(i, 255 - i), (uchar2)(7, 9));
    short2 us = upsample((char2)(i, -i), (uchar2)(7, 9));
    f[i * 16 + 8] = up.x; f[i * 16 + 9] = up.y; f[i * 16 + 10] = us.x; f[i * 16 + 11] = us.y;
}
