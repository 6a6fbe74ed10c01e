#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint u[10]; int s[4]; } a;
layout(set = 0, binding = 1) buffer Out { uint old[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    old[i] = atomicAdd(a.u[0], 1u);
    atomicAnd(a.u[1], ~(1u << (i & 31u)));
    atomicOr(a.u[2], 1u << (i & 31u));
    atomicXor(a.u[3], i);
    atomicMin(a.u[4], 1000u - i);
    atomicMax(a.u[5], i * 3u);
    atomicMin(a.s[0], -int(i));
    atomicMax(a.s[1], int(i) - 50);
    if (i == 7u) {
        atomicExchange(a.u[6], 77u);
    }
    uint want = 0u;
    for (int k = 0; k < 1000; k++) {
        uint got = atomicCompSwap(a.u[7], want, want + 2u);
        if (got == want) {
            break;
        }
        want = got;
    }
}
