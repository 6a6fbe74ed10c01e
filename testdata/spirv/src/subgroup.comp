#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint r[]; };
void main() {
    uint i = gl_LocalInvocationIndex, n = 0u, base = i * 32u;
    uint v = a[i];
    r[base + n++] = gl_SubgroupInvocationID;
    r[base + n++] = gl_SubgroupID * 1000u + gl_NumSubgroups;
    r[base + n++] = uint(subgroupElect());
    r[base + n++] = subgroupAdd(v);
    r[base + n++] = subgroupInclusiveAdd(v);
    r[base + n++] = subgroupExclusiveAdd(v);
    r[base + n++] = subgroupMin(v) ^ subgroupMax(v);
    r[base + n++] = subgroupAnd(v | 16u) + subgroupOr(v) + subgroupXor(v);
    r[base + n++] = subgroupBroadcast(v, 3u) + subgroupBroadcastFirst(v);
    uvec4 b = subgroupBallot((v & 1u) != 0u);
    r[base + n++] = b.x;
    r[base + n++] = b.y;
    r[base + n++] = subgroupBallotBitCount(b) + 100u * subgroupBallotInclusiveBitCount(b) + 10000u * subgroupBallotExclusiveBitCount(b);
    r[base + n++] = subgroupBallotFindLSB(b) + 100u * subgroupBallotFindMSB(b) + (subgroupInverseBallot(b) ? 1000000u : 0u) + (subgroupBallotBitExtract(b, 5u) ? 2000000u : 0u);
    r[base + n++] = subgroupShuffle(v, gl_SubgroupSize - 1u - gl_SubgroupInvocationID);
    r[base + n++] = subgroupShuffleXor(v, 5u);
    uint up = subgroupShuffleUp(v, 2u);
    r[base + n++] = gl_SubgroupInvocationID >= 2u ? up : 0u;
    uint down = subgroupShuffleDown(v, 1u);
    r[base + n++] = gl_SubgroupInvocationID + 1u < gl_SubgroupSize ? down : 0u;
    r[base + n++] = subgroupClusteredAdd(v, 4u) + 1000u * subgroupClusteredMax(v, 8u);
    r[base + n++] = subgroupQuadBroadcast(v, 2u) + subgroupQuadSwapHorizontal(v) * 3u + subgroupQuadSwapVertical(v) * 5u + subgroupQuadSwapDiagonal(v) * 7u;
    r[base + n++] = uint(subgroupAll(v < 1000u)) | uint(subgroupAny(v == 77u)) << 1 | uint(subgroupAllEqual(v)) << 2 | uint(subgroupAllEqual(gl_SubgroupSize)) << 3;
    float f = float(v) * 0.5;
    r[base + n++] = uint(subgroupAdd(f) * 2.0);
    r[base + n++] = uint(subgroupMul(v % 3u == 0u ? 2 : 1));
    if ((i & 3u) == 1u) {
        r[base + n++] = subgroupAdd(v) + uint(subgroupElect()) * 100000u;
    } else {
        n++;
        r[base + n] = subgroupAdd(1u);
    }
    n = 24u;
    // The lanes that leave a loop in one round are together in what they do on the way out.
    uint rest = v & 7u;
    for (;;) {
        uint first = subgroupBroadcastFirst(rest);
        if (first == rest) {
            r[base + n] = subgroupAdd(1u);
            break;
        }
    }
    r[base + n + 1u] = subgroupAdd(1u);
}
