// Kernels of images.c. What they read goes to out, four numbers for each work-item.

kernel void all_f(global float4 *out, read_only image2d_t m) {
  int i = get_global_id(0), w = get_image_width(m);
  out[i] = read_imagef(m, (int2)(i % w, i / w));
}
kernel void all_i(global int4 *out, read_only image2d_t m) {
  int i = get_global_id(0), w = get_image_width(m);
  out[i] = read_imagei(m, (int2)(i % w, i / w));
}
kernel void all_ui(global uint4 *out, read_only image2d_t m) {
  int i = get_global_id(0), w = get_image_width(m);
  out[i] = read_imageui(m, (int2)(i % w, i / w));
}
kernel void row(global uint4 *out, read_only image1d_buffer_t m) {
  out[get_global_id(0)] = read_imageui(m, (int)get_global_id(0));
}

kernel void put_f(write_only image2d_t m) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(m, (int2)(x, y), (float4)(x * 0.25f, y * 0.25f - 0.5f, x - y, 1.5f - y));
}
kernel void put_i(write_only image2d_t m) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagei(m, (int2)(x, y), (int4)(x * 100, y * -100, x - y, 40000));
}
kernel void put_ui(write_only image2d_t m) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imageui(m, (int2)(x, y), (uint4)(x * 100, y * 30000, x, 7));
}

// Coordinates in and around an image, in parts of texels, or of the image if they are to be normalized. They are
// such that filters give exact results. Layers are the first and the last: PoCL multiplies normalized ones by
// their number.
constant sampler_t whole = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
float across(int i) { return (i - 4) * 0.625f; }
float down(int i) { return (i % 5 - 1) * 1.375f; }

kernel void one_at(global float4 *out, read_only image1d_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, across(i));
}
kernel void plane_at(global float4 *out, read_only image2d_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (float2)(across(i), down(i)));
}
kernel void space_at(global float4 *out, read_only image3d_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (float4)(across(i), down(i), i * 0.25f - 1, 0));
}
kernel void lines_at(global float4 *out, read_only image1d_array_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (float2)(across(i), (i & 1) * 2.25f));
}
kernel void planes_at(global float4 *out, read_only image2d_array_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (float4)(across(i), down(i), (i & 1) * 2.25f, 0));
}

kernel void one_on(global float4 *out, read_only image1d_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, i - 3);
}
kernel void plane_on(global float4 *out, read_only image2d_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (int2)(i - 3, i % 6 - 1)) + read_imagef(m, whole, (int2)(i - 3, i % 6 - 1));
}
kernel void space_on(global float4 *out, read_only image3d_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (int4)(i - 3, i % 6 - 1, i % 5 - 1, 0));
}
kernel void lines_on(global float4 *out, read_only image1d_array_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (int2)(i - 3, i % 3));
}
kernel void planes_on(global float4 *out, read_only image2d_array_t m, sampler_t s) {
  int i = get_global_id(0);
  out[i] = read_imagef(m, s, (int4)(i - 3, i % 6 - 1, i % 3, 0));
}

kernel void one_size(global int4 *out, read_only image1d_t m) {
  out[0] = (int4)(get_image_width(m), get_image_channel_order(m), get_image_channel_data_type(m), 0);
}
kernel void plane_size(global int4 *out, read_only image2d_t m) {
  out[0] = (int4)(get_image_width(m), get_image_height(m), get_image_dim(m));
}
kernel void space_size(global int4 *out, read_only image3d_t m) {
  out[0] = get_image_dim(m) + (int4)(0, 0, 0, get_image_depth(m));
}
kernel void lines_size(global int4 *out, read_only image1d_array_t m) {
  out[0] = (int4)(get_image_width(m), get_image_array_size(m), 0, 0);
}
kernel void planes_size(global int4 *out, read_only image2d_array_t m) {
  out[0] = (int4)(get_image_dim(m), get_image_array_size(m), get_image_height(m));
}
