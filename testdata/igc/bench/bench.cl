// What BenchmarkLaneInstruction runs on both families: each kernel spends its
// time in one kind of instructions.
#pragma OPENCL FP_CONTRACT OFF

// Floats, and lanes that leave the loop at different times.
kernel void mandel(global uint *out, uint width, uint rounds) {
	uint px = get_global_id(0), py = get_global_id(1);
	float cx = px * (3.0f / width) - 2.0f, cy = py * (2.0f / width) - 1.0f;
	float x = 0, y = 0;
	uint k;
	for (k = 0; k < rounds; k++) {
		float xx = x * x, yy = y * y;
		if (xx + yy > 4.0f)
			break;
		y = 2 * x * y + cy;
		x = xx - yy + cx;
	}
	out[py * width + px] = k;
}

// 32-bit integers, no divergence.
kernel void mix(global uint *out, uint rounds) {
	uint i = get_global_id(0), a = i * 2654435761u, b = i ^ 0x9e3779b9u;
	for (uint k = 0; k < rounds; k++) {
		a ^= a << 13;
		a ^= a >> 17;
		b += a * 5 + (a & b);
		a ^= b << 5 | k;
	}
	out[i] = a ^ b;
}

// 64-bit integers.
kernel void mix64(global ulong *out, uint rounds) {
	ulong a = get_global_id(0) * 0x9e3779b97f4a7c15ul + 1;
	for (uint k = 0; k < rounds; k++) {
		a ^= a << 7;
		a ^= a >> 9;
		a += k;
	}
	out[get_global_id(0)] = a;
}

// Reads and writes of buffers, side by side and far apart.
kernel void stream(global float *out, global const float *in, uint count, uint rounds) {
	uint i = get_global_id(0), n = get_global_size(0);
	float sum = 0;
	for (uint k = 0; k < rounds; k++)
		sum += in[(i + k * n) % count] * in[(i * 7 + k) % count];
	out[i] = sum;
}

// Local memory and barriers.
kernel void matmul(global float *c, global const float *a, global const float *b, uint n) {
	local float as[16][16], bs[16][16];
	uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
	float sum = 0;
	for (uint t = 0; t < n; t += 16) {
		as[y][x] = a[row * n + t + x];
		bs[y][x] = b[(t + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = 0; k < 16; k++)
			sum += as[y][k] * bs[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}
