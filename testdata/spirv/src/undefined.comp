#version 450
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_quad : enable
// What is undefined in some invocations: which is which is in the comments, of 32 in one subgroup.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint data[]; } b;
void main() {
    uint i = gl_LocalInvocationID.x;
    uint table[8];
    for (int k = 0; k < 8; k++) table[k] = k;
    table[i & 8] = 9;                                 // those with bit 3
    mat2 m = mat2(1, 2, 3, 4);
    vec2 column = m[i >> 4];
    column[i & 3] += 1.0;                             // those with bit 1
    uint s = 0;
    if (i < 20) {
        s += subgroupShuffle(i, 31 - i);              // 0 to 11
        s += subgroupShuffleXor(i, 16);               // 4 to 15
        s += subgroupShuffleUp(i, 2);                 // 0 and 1
        s += subgroupShuffleDown(i, 4);               // 16 to 19
        s += subgroupBroadcast(i, 25);                // all
        s += subgroupQuadBroadcast(i, 2);             // none
        s += subgroupQuadSwapHorizontal(i);           // none
    }
    b.data[i] = s + table[i & 7] + uint(column.x);
}
