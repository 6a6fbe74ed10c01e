// Single-precision operations of the math unit, whose results the specification does not fix to the last bit:
// what is kept of them is.
#pragma OPENCL FP_CONTRACT OFF

kernel void maths(global int *out, global const float *in) {
	uint i = get_global_id(0);
	float x = in[i] * 20 + 0.01f;
	int r = (int)(sqrt(x) * 100.0f + 0.001f);
	r = r * 31 + (int)(native_log2(x) * 50.0f + 1000.3f);
	r = r * 31 + (int)(native_exp2(x * 0.3f) * 10.0f + 0.0313f);
	r = r * 31 + (int)(native_rsqrt(x) * 100.0f + 0.017f);
	r = r * 31 + (int)(native_sin(x * 0.1f) * 100.0f + 500.21f);
	r = r * 31 + (int)(native_cos(x * 0.1f) * 100.0f + 500.37f);
	r = r * 31 + (int)(x / (in[i] + 1.5f) * 100.0f + 0.0017f);
	r = r * 31 + (int)(native_powr(x, 1.5f) * 3.0f + 0.0171f);
	out[i] = r;
}

kernel void divide(global float *out, global const float *in) {
	uint i = get_global_id(0);
	float a = in[2 * i] - 0.5f, b = in[2 * i + 1] + 0.25f;
	out[2 * i] = a / b;
	out[2 * i + 1] = sqrt(b);
}
