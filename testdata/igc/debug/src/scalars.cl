// Arguments and scalars, each of which is needed for a part of the code.

kernel void scalars(global const float *a, global const float *b, global float *out, int n) {
	int i = get_global_id(0);
	float x = a[i];
	float y = b[i] * n;
	if (i < n)
		out[i] = x + y;
}
