// Calls with a stack: recursion whose depth differs per work-item, mutual recursion, structs by value and pointer.

int sum(int n, int a) {
	int local_n = n * 2;
	if (n == 0)
		return a;
	int below = sum(n - 1, a + 1);
	return below + local_n;
}

kernel void recurse(global int *out, global const uint *in) {
	int i = get_global_id(0);
	out[i] = sum(in[i] & 7, i);
}

int fib(int n) {
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

kernel void fibonacci(global int *out) {
	int i = get_global_id(0);
	out[i] = fib(i % 11);
}

int is_odd(int n);

int is_even(int n) {
	return n == 0 ? 1 : is_odd(n - 1) + 2;
}

int is_odd(int n) {
	return n == 0 ? 0 : is_even(n - 1) + 3;
}

kernel void mutual(global int *out, global const uint *in) {
	int i = get_global_id(0);
	if (in[i] & 0x100)
		out[i] = is_even(in[i] & 15);
	else
		out[i] = is_odd(in[i] & 15);
}

struct point { int x, y; long w; };

__attribute__((noinline)) struct point move(struct point p, int by) {
	p.x += by;
	p.y -= by;
	p.w = p.w * 3 + p.x;
	return p;
}

__attribute__((noinline)) int norm(const struct point *p) {
	return abs(p->x) + abs(p->y) + (int)(p->w >> 3);
}

kernel void structs(global int *out, global const uint *in, struct point start) {
	int i = get_global_id(0);
	struct point p = start;
	p.x += in[i] & 0xff;
	for (int k = 0; k < (i & 3) + 1; k++)
		p = move(p, (int)(in[i] >> 8 & 0xf) + k);
	out[i] = norm(&p);
}

int ackermann(int m, int n) {
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

kernel void deep(global int *out) {
	int i = get_global_id(0);
	out[i] = ackermann(i % 3, i % 5);
}
