#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 64) in;

void main()
{
    uint id = gl_GlobalInvocationID.x;
    uint history[64];
    for (uint i = 0; i < 64; i++)
        history[i] = id * i;
    uint picked = history[id & 63];
    if ((id & 31) == 31)
        debugPrintfEXT("%u picked %u\n", id, picked);
}
