#version 450
// Halves a picture by linear samples at the corners of its texels, and adds a color out of a texel buffer; marks
// holds what a fetch of the second level gives.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D half_size;
layout(set = 0, binding = 2) uniform textureBuffer colors;
layout(set = 0, binding = 3) buffer Marks { vec4 marks[]; };
layout(set = 0, binding = 4) uniform texture2D alone;
layout(set = 0, binding = 5) uniform sampler fixed_sampler;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 corner = (vec2(at) * 2 + 1) / vec2(textureSize(picture, 0));
  vec4 color = textureLod(picture, corner, 0) + texelFetch(colors, at.x % 4);
  imageStore(half_size, at, color);
  if (at == ivec2(0)) {
    marks[0] = texelFetch(picture, ivec2(3, 4), 1);
    marks[1] = textureLod(sampler2D(alone, fixed_sampler), vec2(1.5, 0.5), 0);
  }
}
