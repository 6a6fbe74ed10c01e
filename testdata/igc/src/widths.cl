// The same work at each SIMD width, and operations across the lanes of a sub-group. A reference without such
// sub-groups computes what they give from the sub-group's work-items.
#pragma OPENCL FP_CONTRACT OFF

#ifndef NARROW
#define NARROW 8 // the least width that there is
#endif

// A function that kernels of several widths call would be compiled for one of them only: each has its own.
#define MIXED(NAME) \
	uint NAME(uint x, uint rounds) { \
		for (uint k = 0; k < (x & rounds); k++) \
			x = x * 1664525 + 1013904223 + (x >> 7); \
		return x; \
	}

MIXED(mixed8)
MIXED(mixed16)
MIXED(mixed32)

__attribute__((intel_reqd_sub_group_size(NARROW))) kernel void simd8(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
	out[i] = mixed8(in[i], 15);
}

__attribute__((intel_reqd_sub_group_size(16))) kernel void simd16(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
	out[i] = mixed16(in[i], 31);
}

__attribute__((intel_reqd_sub_group_size(32))) kernel void simd32(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
	local uint last[64];
	last[get_local_id(0)] = mixed32(in[i], 63);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = last[63 - get_local_id(0)] + get_local_id(0);
}

#define SIZE 16

__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void lanes(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
#ifdef REFERENCE
	uint base = i & ~(uint)(SIZE - 1), lane = i & (SIZE - 1), sum = 0, most = 0, upto = 0;
	for (uint k = 0; k < SIZE; k++) {
		sum += in[base + k];
		most = max(most, in[base + k]);
		if (k < lane)
			upto += in[base + k];
	}
	out[i] = sum ^ most ^ upto ^ in[base + (in[i] & 15)] ^ in[base + 3] ^ lane;
#else
	uint v = in[i];
	uint sum = sub_group_reduce_add(v), most = sub_group_reduce_max(v), upto = sub_group_scan_exclusive_add(v);
	uint other = intel_sub_group_shuffle(v, v & 15), third = sub_group_broadcast(v, 3);
	out[i] = sum ^ most ^ upto ^ other ^ third ^ get_sub_group_local_id();
#endif
}
