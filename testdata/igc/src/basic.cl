// The smallest kernels: one-dimensional, bounded, and three-dimensional with partial groups everywhere.
#pragma OPENCL FP_CONTRACT OFF

kernel void vecadd(global int *out, global const int *a, global const int *b, int n) {
	int i = get_global_id(0);
	if (i < n)
		out[i] = a[i] + b[i];
}

kernel void saxpy(global float *out, global const float *x, global const float *y, float a, int n) {
	int i = get_global_id(0);
	if (i >= n)
		return;
	float r = fma(a, x[i], y[i]);
	float s = a * x[i] + y[i];
	out[i] = r > s ? r - s : r + s;
}

kernel void grid3d(global uint *out, uint width, uint height) {
	uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	uint v = x + 100 * y + 10000 * z;
	v = v * 31 + get_local_id(0) + 7 * get_local_id(1) + 49 * get_local_id(2);
	v = v * 31 + get_group_id(0) + 7 * get_group_id(1) + 49 * get_group_id(2);
	v = v * 31 + get_local_size(0) + 16 * get_local_size(1) + 256 * get_local_size(2);
	v = v * 31 + get_enqueued_local_size(0) + get_num_groups(1) + get_global_size(2) + get_work_dim();
	out[(z * height + y) * width + x] = v;
}
