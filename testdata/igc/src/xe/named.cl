// Pairs of sub-groups meet at named barriers of their own, which Xe-HPC's gateway has.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void named(global uint *out, global const uint *in) {
	local uint shared[64];
	local NamedBarrier_t *lower = named_barrier_init(2), *upper = named_barrier_init(2);
	uint l = get_local_id(0), first = l & 32;
	for (uint round = 0; round < 3; round++) {
		shared[l] = in[get_global_id(0)] + round;
		if (first == 0)
			work_group_named_barrier(lower, CLK_LOCAL_MEM_FENCE);
		else
			work_group_named_barrier(upper, CLK_LOCAL_MEM_FENCE);
		uint other = shared[first + (l + 16) % 32];
		if (first == 0)
			work_group_named_barrier(lower, CLK_LOCAL_MEM_FENCE);
		else
			work_group_named_barrier(upper, CLK_LOCAL_MEM_FENCE);
		out[get_global_id(0)] = out[get_global_id(0)] * 3 + other;
	}
}
