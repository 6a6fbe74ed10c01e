#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { float r[]; };
layout(set = 0, binding = 1) buffer Words { uint u[]; };
layout(set = 0, binding = 2) buffer Counts { uint n; int least; float sum; } counts;
void main() {
    uint i = gl_GlobalInvocationID.x, o = i * 16u;
    float x = float(i);
    mat2x3 a = mat2x3(1.0, 2.0, 3.0, 4.0, x, 6.0);
    mat3x2 b = mat3x2(x, 1.0, 2.0, -1.0, 0.5, 3.0);
    mat3 ab = a * b;
    r[o] = ab[1][2] + ab[2][1] * 100.0;
    vec2 va = vec3(1.0, x, 2.0) * a;
    r[o + 1u] = va.x + va.y * 1000.0;
    mat3x2 op = outerProduct(vec2(x, 2.0), vec3(1.0, 2.0, 3.0)) * 0.5;
    r[o + 2u] = op[2][0] + op[1][1] * 100.0;
    mat2 inv = inverse(mat2(2.0, 1.0, 0.0, 4.0));
    r[o + 3u] = inv[0][0] + inv[0][1] * 10.0 + inv[1][1] * 100.0;
    vec4 v = vec4(1.0, 2.0, 3.0, 4.0);
    v[i % 4u] += x;
    r[o + 4u] = v[(i + 1u) % 4u] + v[i & 3u] * 100.0;
    bvec3 bv = notEqual(uvec3(i, 5u, 7u), uvec3(3u, 5u, 7u));
    r[o + 5u] = (any(bv) ? 1.0 : 0.0) + (all(not(bv)) ? 2.0 : 0.0) + (lessThanEqual(ivec2(int(i), 3), ivec2(2, 3)).x ? 4.0 : 0.0);
    r[o + 6u] = subgroupMul(i < 3u ? 2.0 : 1.0) + float(subgroupMin(5 - int(i))) * 10.0 + float(subgroupMax(int(i) - 50)) * 100.0;
    r[o + 7u] = subgroupMin(x) + subgroupMax(x) * 10.0 + (subgroupAnd(i < 100u) ? 1000.0 : 0.0) + (subgroupOr(i == 4u) ? 2000.0 : 0.0) + (subgroupXor(i < 3u) ? 4000.0 : 0.0);
    u[o] = packSnorm4x8(vec4(x / 31.0, -1.0, 0.5, 2.0));
    u[o + 1u] = packSnorm2x16(vec2(x / 31.0, -0.25));
    u[o + 2u] = packUnorm2x16(vec2(x / 31.0, 0.75));
    u[o + 3u] = floatBitsToUint(unpackUnorm2x16(i * 2049u).x + unpackHalf2x16(i << 8).x);
    u[o + 4u] = floatBitsToUint(unpackSnorm4x8(i * 0x01010101u).z + unpackUnorm4x8(i * 0x0101u).y);
    double d = packDouble2x32(uvec2(i, 0x3ff00000u));
    uvec2 parts = unpackDouble2x32(d * 2.0lf);
    u[o + 5u] = parts.x ^ parts.y;
    u[o + 6u] = atomicLoad(counts.n, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) & 0u;
    if (i == 9u) {
        atomicStore(counts.n, 77u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
    }
    memoryBarrier();
    atomicMin(counts.least, -int(i));
    atomicAdd(counts.sum, 0.5);
    vec2 e;
    ivec2 ex;
    e = frexp(vec2(x + 1.0, 0.375), ex);
    r[o + 8u] = e.x + float(ex.x) * 10.0 + e.y * 1000.0;
    r[o + 9u] = refract(vec2(0.6, -0.8), vec2(0.0, 1.0), 2.0).x + float(sign(int(i) - 3)) + float(abs(int(i) - 5)) * 10.0;
}
