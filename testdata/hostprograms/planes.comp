#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Samples an image of luma and chroma in each of its texels, and fetches texels of one of its planes, of depth and of
// stencil; the largest of what the texels make of their places is found in an integer of 64 bits.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D colors;
layout(set = 0, binding = 1) uniform texture2D chroma;
layout(set = 0, binding = 2) uniform texture2D depths;
layout(set = 0, binding = 3) uniform utexture2D stencils;
layout(set = 0, binding = 4, r64ui) uniform u64image2D most;
layout(set = 0, binding = 5) buffer Out { vec4 texels[]; };

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  int i = at.y * 8 + at.x;
  texels[i] = textureLod(colors, (vec2(at) + 0.5) / 8, 0);
  texels[64 + i] = vec4(texelFetch(chroma, at / 2, 0).rg, texelFetch(depths, at, 0).r, float(texelFetch(stencils, at, 0).r));
  imageAtomicMax(most, ivec2(0), uint64_t(i) << 40 | uint64_t(at.x));
}
