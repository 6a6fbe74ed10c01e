// Kernels that do not look at work-items, so that threads start without their
// ids: one value of a group, and blocks of memory that a thread moves.

kernel void groups(global uint *out, global const uint *in, uint v) {
	uint g = get_group_id(0) + get_group_id(1) * get_num_groups(0);
	uint sum = v;
	for (uint k = 0; k < in[g] % 20; k++)
		sum = sum * 31 + in[(g + k) % 12];
	out[g] = sum + get_num_groups(1) * 1000;
}

#ifndef REFERENCE
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_long : enable

__attribute__((intel_reqd_sub_group_size(16)))
kernel void blocks(global uint *out, global const uint *in) {
	uint at = 32 * get_group_id(0);
	uint v = intel_sub_group_block_read(in + at);
	uint2 w = intel_sub_group_block_read2(in + at);
	uint r = v + intel_sub_group_shuffle(w.y, 3) + sub_group_broadcast(v, 1) * 7;
	r ^= intel_sub_group_shuffle_xor(w.y, 5) + intel_sub_group_shuffle_down(v, w.y, 2);
	intel_sub_group_block_write2(out + at, (uint2)(r, w.x - w.y));
}
#else // the same by local memory
kernel void blocks(global uint *out, global const uint *in) {
	local uint x[16], y[16];
	uint at = 32 * get_group_id(0), l = get_local_id(0);
	x[l] = in[at + l];
	y[l] = in[at + 16 + l];
	barrier(CLK_LOCAL_MEM_FENCE);
	uint r = x[l] + y[3] + x[1] * 7;
	r ^= y[l ^ 5] + (l + 2 < 16 ? x[l + 2] : y[l + 2 - 16]);
	out[at + l] = r;
	out[at + 16 + l] = x[l] - y[l];
}
#endif
