#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(binding = 0) uniform texture2D picture;
layout(binding = 1) buffer Texels { vec4 texels[]; };
void main() {
  ivec2 size = textureSize(picture, 0);
  int i = int(gl_GlobalInvocationID.x);
  texels[i] = texelFetch(picture, ivec2(i % size.x, i / size.x), 0);
}
