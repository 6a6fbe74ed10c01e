// printf: every kind of value.

kernel void print(global const int *in, float x) {
	int i = get_global_id(0);
	int4 v = (int4)(i, in[i], -i, 7);
	float2 f = (float2)(x, x * i);
	if (i & 1)
		printf("odd %d: %s %c|%5.2f|%lx\n", i, "text", 'a' + i, x * i, (ulong)i << 36);
	else
		printf("even %2d: %v4d %2.1v2f %hhd %%\n", in[i], v, f, (char)(i - 100));
}
