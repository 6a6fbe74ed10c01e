#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint bias = 0;
layout(push_constant) uniform Params { uint n, factor, noisy; } params;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint last;

void main() {
  uint i = gl_GlobalInvocationID.x;
  last = i;
  data[i] = last * params.factor + bias;
}
