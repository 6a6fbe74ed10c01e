// Two kernels, variables of the program, and a printed string: what each has of debug information is its own.

constant int table[4] = {10, 20, 30, 40};
global int counter = 5;

int scaled(int v, int by) {
	int product = v * by;
	return product + counter;
}

kernel void first(global int *out, int n) {
	int i = get_global_id(0);
	int mine = scaled(table[i & 3], n);
	out[i] = mine;
}

kernel void second(global int *out, int n) {
	int i = get_global_id(0);
	int sum = 0;
	for (int k = 0; k <= i; k++)
		sum += scaled(k, n);
	out[i] = sum;
	if (i == 2)
		printf("sum %d of %s\n", sum, "second");
}
