// A loop that each work-item leaves at another time, in threads of 32.

__attribute__((intel_reqd_sub_group_size(32)))
kernel void collatz(global int *out, global const int *in) {
	int i = get_global_id(0);
	int n = in[i] + 1;
	int steps = 0;
	int most = n;
	while (n != 1) {
		if (n & 1)
			n = 3 * n + 1;
		else
			n = n / 2;
		if (n > most)
			most = n;
		steps++;
	}
	out[i] = steps * 10000 + most;
}
