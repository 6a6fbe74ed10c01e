// A recursion whose depth differs per work-item.

int sum(int n, int acc) {
	int doubled = n * 2;
	if (n == 0)
		return acc;
	int below = sum(n - 1, acc + 1);
	return below + doubled;
}

kernel void recurse(global int *out, global const int *in) {
	int i = get_global_id(0);
	int depth = in[i] & 7;
	int total = sum(depth, i);
	out[i] = total;
}
