#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint r[]; };
layout(push_constant) uniform P { uint width; uint limit; } pc;
void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float cx = float(i % pc.width) * (3.0 / 512.0) - 2.0;
    precise float cy = float(i / pc.width) * (3.0 / 512.0) - 1.5;
    precise float x = 0.0, y = 0.0;
    uint n = 0u;
    while (n < pc.limit) {
        precise float xx = x * x, yy = y * y;
        if (xx + yy > 4.0) {
            break;
        }
        precise float xy = x * y;
        y = xy + xy + cy;
        x = xx - yy + cx;
        n++;
    }
    r[i] = n;
}
