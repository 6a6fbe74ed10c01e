#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) uniform samplerBuffer from[4];
layout(binding = 1, r32f) uniform imageBuffer to[4];
void main() {
  int i = int(gl_GlobalInvocationID.x), which = i * 3 % 4, at = i / 4;
  vec4 texel = texelFetch(from[nonuniformEXT(which)], at);
  vec4 outside = texelFetch(from[nonuniformEXT(which)], 1000 + i);
  imageStore(to[nonuniformEXT(3 - which)], at, vec4(texel.x + 1000 * outside.w + outside.x));
}
