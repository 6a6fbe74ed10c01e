// An array that IGC keeps in registers when it optimises, where its location list has no meaning.

kernel void promoted(global int *out, global const int *in) {
	int i = get_global_id(0);
	int arr[40];
	for (int j = 0; j < 40; j++)
		arr[j] = in[(i + j) & 63] * j;
	int s = 0;
	for (int j = 0; j < (in[i] & 7); j++) {
		s += arr[(s + j) & 31];
		out[i] = s;
	}
	out[i] += s;
}
