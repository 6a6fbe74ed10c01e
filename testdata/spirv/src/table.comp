#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 1, binding = 2) readonly buffer In { uint v[]; } tab[3];
layout(set = 0, binding = 0) buffer Out { uint r[]; };
const uint primes[8] = uint[8](2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u);
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint k = i % 3u;
    r[i] = tab[nonuniformEXT(k)].v[i / 3u] * primes[i & 7u] + uint(tab[1].v.length());
}
