#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint sums[]; };
shared uint part[64];
shared struct { uint lo, hi; } range;
void main() {
    uint l = gl_LocalInvocationIndex;
    part[l] = a[gl_GlobalInvocationID.x];
    if (l == 0u) {
        range.lo = 0xffffffffu;
        range.hi = 0u;
    }
    barrier();
    atomicMin(range.lo, part[l]);
    atomicMax(range.hi, part[l]);
    for (uint n = 32u; n > 0u; n >>= 1) {
        if (l < n) {
            part[l] += part[l + n];
        }
        barrier();
    }
    if (l == 0u) {
        sums[gl_WorkGroupID.x * 3u] = part[0];
        sums[gl_WorkGroupID.x * 3u + 1u] = range.lo;
        sums[gl_WorkGroupID.x * 3u + 2u] = range.hi;
    }
}
