// Divergence of every kind that the compiler makes code for.
#pragma OPENCL FP_CONTRACT OFF

kernel void collatz(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
	uint n = in[i] % 10007 + 1, steps = 0;
	while (n != 1) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	out[i] = steps;
}

kernel void mandelbrot(global uint *out, uint width) {
	uint px = get_global_id(0), py = get_global_id(1);
	float cx = px * 0.0625f - 2.0f, cy = py * 0.125f - 1.0f;
	float x = 0, y = 0;
	uint k;
	for (k = 0; k < 100; k++) {
		float xx = x * x, yy = y * y;
		if (xx + yy > 4.0f)
			break;
		y = 2 * x * y + cy;
		x = xx - yy + cx;
	}
	out[py * width + px] = k;
}

kernel void switches(global int *out, global const uint *in) {
	uint i = get_global_id(0);
	int r = 0;
	for (int k = 0; k < 4; k++) {
		switch (in[i] >> 4 * k & 15) {
		case 0: r += 1;
		case 1: r ^= 0x55; break;
		case 2: case 3: r *= 3; break;
		case 7: r -= 1000; continue;
		case 9: goto out;
		case 11: r = -r; break;
		default: r += k;
		}
		r += 10;
	}
out:
	out[i] = r;
}

kernel void nested(global int *out, global const uint *in) {
	uint i = get_global_id(0);
	int sum = 0;
	for (int a = 0; a < (int)(in[i] & 7); a++) {
		for (int b = a; b < 10; b++) {
			if ((a + b + i) % 3 == 0)
				continue;
			if (a * b > (int)(in[i] >> 8 & 31))
				break;
			if (a > 5 && b > 7) {
				sum += 1000;
				goto done;
			}
			sum += a * b + 1;
		}
		if (sum > 100)
			sum -= 50;
		else if (sum & 1)
			sum += 3;
	}
done:
	out[i] = sum;
}

kernel void returns(global int *out, global const uint *in) {
	uint i = get_global_id(0);
	out[i] = -1;
	if (in[i] % 5 == 0)
		return;
	out[i] = 1;
	do {
		if (in[i + 1] % 7 == 0)
			return;
		out[i] += 2;
	} while (out[i] < (int)(i & 15));
	for (uint k = 0; k < in[i] % 5; k++) {
		if (in[i] % 11 == k)
			return;
		out[i] += 100;
	}
	out[i] += 5;
}
