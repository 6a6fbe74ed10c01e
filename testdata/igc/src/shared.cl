// Local memory, barriers and atomics.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF
#define TILE 8

kernel void matmul(global float *c, global const float *a, global const float *b, int n) {
	local float as[TILE][TILE], bs[TILE][TILE];
	int x = get_local_id(0), y = get_local_id(1);
	int col = get_global_id(0), row = get_global_id(1);
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		as[y][x] = a[row * n + t + x];
		bs[y][x] = b[(t + y) * n + col];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += as[y][k] * bs[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + col] = sum;
}

kernel void reduce(global int *out, global const int *in, local int *part, local long *wide) {
	int l = get_local_id(0), size = get_local_size(0);
	part[l] = in[get_global_id(0)];
	wide[l] = (long)part[l] * l;
	for (int s = size / 2; s > 0; s /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < s) {
			part[l] += part[l + s];
			wide[l] ^= wide[l + s];
		}
	}
	if (l == 0) {
		out[3 * get_group_id(0)] = part[0];
		out[3 * get_group_id(0) + 1] = (int)wide[0];
		out[3 * get_group_id(0) + 2] = (int)(wide[0] >> 32);
	}
}

kernel void scan(global uint *out, global const uint *in) {
	local uint buf[2][64];
	uint l = get_local_id(0), from = 0;
	buf[0][l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = 1; d < 64; d *= 2) {
		buf[1 - from][l] = buf[from][l] + (l >= d ? buf[from][l - d] : 0);
		from = 1 - from;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = buf[from][l];
}

kernel void bitonic(global uint *data, global const uint *in) {
	local uint keys[128];
	uint l = get_local_id(0), base = get_group_id(0) * 128;
	keys[l] = in[base + l];
	keys[l + 64] = in[base + l + 64];
	for (uint k = 2; k <= 128; k *= 2)
		for (uint j = k / 2; j > 0; j /= 2) {
			barrier(CLK_LOCAL_MEM_FENCE);
			uint i = 2 * l - (l & (j - 1));
			uint a = keys[i], b = keys[i + j];
			bool up = (i & k) == 0;
			if ((a > b) == up) {
				keys[i] = b;
				keys[i + j] = a;
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	data[base + l] = keys[l];
	data[base + l + 64] = keys[l + 64];
}

kernel void histogram(global uint *out, global const uint *in) {
	local uint bins[16];
	uint l = get_local_id(0);
	if (l < 16)
		bins[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint v = in[get_global_id(0)];
	atomic_inc(&bins[v & 15]);
	atomic_add(&bins[v >> 4 & 15], v >> 8 & 0xff);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		atomic_add(&out[l], bins[l]);
}

kernel void local_bytes(global uchar *out, global const uchar *in) {
	local uchar bytes[64];
	local ushort words[64];
	uint l = get_local_id(0), i = get_global_id(0);
	bytes[63 - l] = in[i];
	words[l ^ 5] = in[i] * 3;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = bytes[l] + (words[l] >> 4);
}

kernel void atomics(global int *out, global const int *in) {
	uint i = get_global_id(0);
	int v = in[i];
	atomic_add(&out[0], v);
	atomic_sub(&out[1], v);
	atomic_min(&out[2], v);
	atomic_max(&out[3], v);
	atomic_min((global uint *)&out[4], (uint)v);
	atomic_max((global uint *)&out[5], (uint)v);
	atomic_and(&out[6], v | 0xff);
	atomic_or(&out[7], v & 0x0f0f0f);
	atomic_xor(&out[8], v);
	atomic_inc(&out[9]);
	atomic_dec(&out[10]);
	atomic_xchg(&out[11], 42);
	for (;;) {
		int old = *(volatile global int *)&out[12];
		if (atomic_cmpxchg(&out[12], old, old + (v & 7)) == old)
			break;
	}
	int ticket = atomic_inc(&out[13]);
	out[16 + ticket] = 1;
}

kernel void atomics64(global long *out, global const int *in) {
	uint i = get_global_id(0);
	long v = (long)in[i] << 20;
	atom_add(&out[0], v);
	atom_sub(&out[1], v);
	atom_xchg(&out[2], 0x123456789abL);
	atom_min(&out[3], v);
	atom_max(&out[4], v);
	atom_xor(&out[5], v);
	atom_or(&out[6], v);
	atom_inc(&out[7]);
	for (;;) {
		long old = *(volatile global long *)&out[8];
		if (atom_cmpxchg(&out[8], old, old + v) == old)
			break;
	}
}

kernel void local_atomics(global int *out, global const int *in) {
	local int cell[16];
	uint l = get_local_id(0);
	if (l < 16)
		cell[l] = l == 6 ? -1 : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	int v = in[get_global_id(0)];
	atomic_add(&cell[0], v);
	atomic_sub(&cell[1], v);
	atomic_min(&cell[2], v);
	atomic_max(&cell[3], v);
	atomic_max((local uint *)&cell[5], (uint)v);
	atomic_and(&cell[6], v | 0xff);
	atomic_or(&cell[7], v & 0x0f0f0f);
	atomic_xor(&cell[8], v);
	atomic_dec(&cell[10]);
	for (;;) {
		int old = *(volatile local int *)&cell[12];
		if (atomic_cmpxchg(&cell[12], old, old + (v & 7)) == old)
			break;
	}
	int ticket = atomic_inc(&cell[13]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		out[get_group_id(0) * 16 + l] = cell[l];
	(void)ticket;
}
