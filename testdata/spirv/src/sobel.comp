#version 450
// Edges of a picture by Sobel, with a defect: the inner loop leaves the last column of the weights out.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r8) uniform readonly image2D picture;
layout(set = 0, binding = 1, r32f) uniform writeonly image2D edges;

const float weights[9] = float[](-1, 0, 1, -2, 0, 2, -1, 0, 1);

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  float gx = 0, gy = 0;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 2; x++) {
      float p = imageLoad(picture, at + ivec2(x - 1, y - 1)).r;
      gx += weights[3 * y + x] * p;
      gy += weights[3 * x + y] * p;
    }
  imageStore(edges, at, vec4(length(vec2(gx, gy))));
}
