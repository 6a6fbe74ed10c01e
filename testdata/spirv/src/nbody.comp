#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer P { vec4 p[]; };
layout(set = 0, binding = 1) writeonly buffer A { vec4 a[]; };
layout(push_constant) uniform N { uint n; float soft; } pc;
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 me = p[i].xyz;
    precise vec3 acc = vec3(0.0);
    for (uint j = 0u; j < pc.n; j++) {
        precise vec3 d = p[j].xyz - me;
        precise float dx = d.x * d.x, dy = d.y * d.y, dz = d.z * d.z;
        precise float r2 = dx + dy;
        r2 = r2 + dz;
        r2 = r2 + pc.soft;
        precise float r = sqrt(r2);
        precise float k = p[j].w / (r2 * r);
        acc += d * k;
    }
    a[i] = vec4(acc, 0.0);
}
