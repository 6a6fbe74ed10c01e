#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform P { uint n; } pc;
shared float ta[16][16], tb[16][16];
void main() {
    uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;
    uint y = gl_LocalInvocationID.y, x = gl_LocalInvocationID.x;
    precise float sum = 0.0;
    for (uint t = 0u; t < pc.n; t += 16u) {
        ta[y][x] = a[row * pc.n + t + x];
        tb[y][x] = b[(t + y) * pc.n + col];
        barrier();
        for (uint k = 0u; k < 16u; k++) {
            precise float p = ta[y][k] * tb[k][x];
            sum += p;
        }
        barrier();
    }
    c[row * pc.n + col] = sum;
}
