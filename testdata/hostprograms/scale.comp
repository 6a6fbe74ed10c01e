#version 460
#extension GL_EXT_debug_printf : require
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint bias = 0;
layout(push_constant) uniform Params { uint n, factor, noisy; } params;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= params.n)
    return;
  uint old = data[i];
  data[i] = old * params.factor + bias;
  if (params.noisy != 0 && i == 5)
    debugPrintfEXT("data[%u] is %u", i, data[i]);
}
