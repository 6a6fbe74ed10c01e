#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 8) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, scalar) buffer Node { uint value; uint pad; Node next; };
layout(push_constant) uniform P { Node head; uint limit; } pc;
layout(set = 0, binding = 0) buffer Out { uint r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    Node n = pc.head;
    uint sum = 0u;
    for (uint k = 0u; k < i && k < pc.limit; k++) {
        sum += n.value * (k + 1u);
        n = n.next;
    }
    r[i] = sum;
    if (i == 3u) {
        n.value = 1000u;
    }
}
