#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { vec4 r[]; };
struct Body { vec3 at; float mass; int tags[3]; };
vec3 scale3(vec3 v, float k) { return v * k; }
void push(inout Body b, int tag, out int old) {
    old = b.tags[2];
    b.tags[2] = b.tags[1];
    b.tags[1] = b.tags[0];
    b.tags[0] = tag;
    b.mass += float(tag);
}
Body make(uint i) {
    Body b;
    b.at = vec3(float(i), float(i) * 2.0, 1.0);
    b.mass = 1.0;
    b.tags = int[3](1, 2, 3);
    int old = 0;
    for (uint k = 0u; k <= i % 4u; k++) {
        push(b, int(k) + 10, old);
        if (old == 10) {
            b.mass += 100.0;
        }
    }
    b.at = scale3(b.at, b.mass);
    return b;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    Body b = make(i);
    if ((i & 1u) == 1u) {
        b.at = scale3(b.at.zyx, -1.0);
    }
    r[i] = vec4(b.at, float(b.tags[0] * 10000 + b.tags[1] * 100 + b.tags[2]));
}
