#version 450
layout(local_size_x = 4) in;
struct Inner { vec3 p; float w; uvec2 q; };
layout(std140, set = 0, binding = 0) uniform U {
    mat3 cm;
    layout(row_major) mat3x2 rm;
    Inner inner[2];
    float scale;
} u;
layout(std430, set = 0, binding = 1) buffer S {
    uint count;
    layout(row_major) mat2x3 m[2];
    Inner one;
    float tail[];
} s;
layout(push_constant) uniform P { vec4 bias; int which; } pc;
float total(Inner v) { return v.p.x + v.p.y * 2.0 + v.p.z * 4.0 + v.w * 8.0 + float(v.q.x + v.q.y); }
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 c = u.cm * vec3(1.0, 2.0, float(i));
    vec2 d = u.rm * c;
    mat2x3 m = s.m[i & 1u];
    vec3 e = m * d;
    s.tail[i] = c.x + d.y + e.z + u.cm[1][2] + u.rm[2][1] + m[1][2] + total(u.inner[i & 1u]) * u.scale + pc.bias[pc.which] + float(s.tail.length());
    if (i == 0u) {
        s.m[1][0] = vec3(7.0, 8.0, 9.0);
        s.m[0][1][2] = 5.0;
        s.one = u.inner[1];
        s.count = uint(s.tail.length());
        mat3 t = transpose(u.cm);
        s.one.w = t[2][0] + determinant(u.cm);
    }
}
