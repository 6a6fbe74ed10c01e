// Two functions that call each other, with values that live across the calls.

int odd(int n, int weight);

int even(int n, int weight) {
	int mine = n + weight;
	if (n == 0)
		return 1;
	int rest = odd(n - 1, weight + 3);
	return rest + mine;
}

int odd(int n, int weight) {
	int mine = n * weight;
	if (n == 0)
		return 0;
	int rest = even(n - 1, weight + 5);
	return rest * 2 + mine;
}

kernel void mutual(global int *out, global const int *in) {
	int i = get_global_id(0);
	int n = in[i] & 7;
	out[i] = in[i] & 8 ? even(n, i) : odd(n, i);
}
