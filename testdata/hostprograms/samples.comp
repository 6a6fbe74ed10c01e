#version 450
// Samples of an image of one KIND (sampler2D and so on), by TAKE: at places that the buffer has, whose fourth component is the
// level.
layout(local_size_x = 50) in;
layout(binding = 0) uniform KIND picture;
layout(binding = 1) buffer Texels { vec4 texels[]; };
layout(binding = 2) buffer Places { vec4 places[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 at = places[i];
  texels[i] = vec4(TAKE);
}
