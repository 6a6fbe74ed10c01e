#version 460
#extension GL_ARB_shader_texture_image_samples : require
// Images and samplers: invocation i takes coordinates[i], and writes what each instruction gives into a row of
// results, 64 to a row.
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer Coordinates { vec4 coordinates[]; };
layout(set = 0, binding = 1) writeonly buffer Results { vec4 results[]; };
layout(set = 0, binding = 2) uniform sampler2D plane;
layout(set = 0, binding = 3) uniform sampler2DArray layers;
layout(set = 0, binding = 4) uniform samplerCube cube;
layout(set = 0, binding = 5) uniform sampler3D volume;
layout(set = 0, binding = 6, rgba8) writeonly uniform image2D picture;
layout(set = 0, binding = 7, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 8) uniform sampler2DShadow shadow;
layout(set = 0, binding = 9) uniform texture2D alone;
layout(set = 0, binding = 10) uniform sampler samplers[2];
layout(set = 0, binding = 11) uniform samplerBuffer texels;
layout(set = 0, binding = 12) uniform sampler1D line;
layout(set = 0, binding = 14) uniform sampler2DMS several;
layout(set = 0, binding = 13, rgba16i) uniform iimage3D numbers;

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 at = coordinates[i];
  ivec2 texel = ivec2(i % 8, i / 8);
  uint row = 0;
#define GIVE(x) results[64 * row++ + i] = (x)
  GIVE(textureLod(plane, at.xy, at.w));
  GIVE(textureLodOffset(plane, at.xy, 0, ivec2(1, -2)));
  GIVE(textureGrad(plane, at.xy, vec2(at.z / 16, 0), vec2(0, at.w / 16)));
  GIVE(texelFetch(plane, texel, 1));
  GIVE(textureGather(plane, at.xy, 2));
  GIVE(textureLod(layers, vec3(at.xy, at.z * 2), 0));
  GIVE(textureLod(cube, at.xyz - 0.5, 0));
  GIVE(textureLod(volume, at.xyz, 0));
  GIVE(vec4(textureLod(shadow, at.xyz, 0)));
  GIVE(textureGather(shadow, at.xy, at.z));
  GIVE(textureLod(sampler2D(alone, samplers[i & 1]), at.xy, 0));
  GIVE(texelFetch(texels, int(i)));
  GIVE(textureLod(line, at.x, 0));
  GIVE(textureProjLod(plane, at.xyz, 0));
  GIVE(vec4(textureSize(plane, 1), textureQueryLevels(plane), textureSize(layers, 0).z));
  GIVE(vec4(imageSize(numbers), textureSize(cube, 0).y));
  GIVE(vec4(textureProjLod(shadow, vec4(at.xyz, 2), 0)));
  GIVE(texelFetch(several, texel / 2, int(i % 4)));
  GIVE(vec4(textureSamples(several)));
  imageStore(picture, ivec2(texel.y, texel.x), at);
  imageAtomicAdd(counts, ivec2(i % 4, 0), i);
  ivec4 n = imageLoad(numbers, ivec3(texel, 0));
  GIVE(vec4(n));
  if (i < 16) imageStore(numbers, ivec3(texel, 1), -n);
}
