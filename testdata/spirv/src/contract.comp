#version 450
// Products that are added, as they are and precise.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; } src;
layout(set = 0, binding = 1) buffer Out { float r[]; } dst;
void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = src.a[3 * i], y = src.a[3 * i + 1], z = src.a[3 * i + 2];
    dst.r[8 * i] = x * y + z;
    dst.r[8 * i + 1] = x * y - z;
    dst.r[8 * i + 2] = z - x * y;
    precise float p = z * z + x;
    dst.r[8 * i + 3] = p;
    vec2 v = vec2(x, y) * vec2(y, z) + vec2(z, x);
    dst.r[8 * i + 4] = v.x;
    dst.r[8 * i + 5] = v.y;
    float q = x * z;
    dst.r[8 * i + 6] = q * 2.0 - (q + y);  // a product of which one use is no sum
    dst.r[8 * i + 7] = x * y + z * 2.0;
}
