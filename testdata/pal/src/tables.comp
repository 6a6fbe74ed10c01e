#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int values[]; };
layout(set = 0, binding = 1) buffer Out { int results[]; };
layout(push_constant) uniform Push { int scale; float bias; int limit; };
shared int parts[64];
const int weights[4] = int[](1, 10, 100, 1000);

void main()
{
    uint id = gl_GlobalInvocationID.x;
    int value = values[id] * scale;
    parts[gl_LocalInvocationID.x] = value;
    barrier();
    int other = parts[63 - gl_LocalInvocationID.x];
    int weighted = other * weights[id & 3];
    results[id] = value + weighted;
    if (value > limit)
        debugPrintfEXT("%u of group %u of %u: %d over %d, bias %.2f\n", id, gl_WorkGroupID.x,
                       gl_NumWorkGroups.x, value, limit, bias);
    else if ((id & 7) == 3)
        debugPrintfEXT("%d small\n", value);
}
