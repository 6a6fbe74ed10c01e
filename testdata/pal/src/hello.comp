#version 450
#extension GL_EXT_debug_printf : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;

void main()
{
    uint id = gl_GlobalInvocationID.x;
    if (gl_LocalInvocationID.x == 0)
        debugPrintfEXT("group %u begins\n", gl_WorkGroupID.x);
    if ((id & 15u) == 5u)
        debugPrintfEXT("100%% of %d: half %f, wide %ld, double %g\n", int(id) - 70, float(id) * 0.5,
                       int64_t(id) << 33, double(id) / 3.0);
    if (id == 100u)
        debugPrintfEXT("no arguments\n");
}
