// Local memory, a private array, a structure, a divergent branch, vectors.

struct pair {
	int first;
	float second;
};

kernel void tile(global float *out, global const int *in, float scale) {
	local int shared[16];
	int l = get_local_id(0);
	int i = get_global_id(0);
	int mine[4];
	struct pair p;
	shared[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 4; k++)
		mine[k] = shared[(l + k) & 15] + k;
	p.first = mine[0] + mine[3];
	p.second = scale * p.first;
	if (l & 1)
		p.second += 1.0f;
	else
		p.second -= 1.0f;
	int4 v = (int4)(l, i, p.first, 7);
	out[i] = p.second + v.w;
}
