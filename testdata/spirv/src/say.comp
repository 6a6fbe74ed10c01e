#version 450
#extension GL_EXT_debug_printf : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = i * i;
    debugPrintfEXT("lane %u: %f %v3f %d", i, float(i) * 0.5, vec3(1.0, float(i), 2.5), -int(i));
}
