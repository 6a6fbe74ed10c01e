// A vector in private memory, an array in registers and a structure in parts, where IGC's locations have a meaning of
// their own or none.

struct pair { int a; float b; };

kernel void objects(global int *out, global const int *in, int n) {
	int i = get_global_id(0);
	int arr[8];
	int4 vec = (int4)(i, in[i], i * 2, 7);
	struct pair pair = {in[i], i * 0.5f};
	for (int k = 0; k < 8; k++)
		arr[k] = in[(i + k) & 63] * (k + 1);
	for (int k = 0; k < n; k++) {
		arr[(k * 3 + i) & 7] += vec.y;
		vec.y ^= arr[k & 7];
		vec.w += k;
		pair.a += vec.w;
		pair.b += 0.5f;
	}
	int sum = 0;
	for (int k = 0; k < 8; k++)
		sum += arr[k];
	out[i] = sum + vec.x + vec.y + vec.z + vec.w + pair.a + (int)pair.b;
}
