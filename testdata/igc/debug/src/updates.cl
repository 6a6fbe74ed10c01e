// Scalars and vectors that change in a loop and in the branches of an if, and a function that is inlined.

uint mix(uint h, uint x) {
	h ^= x * 0x9e3779b1u;
	h = (h << 13) | (h >> 19);
	return h * 5 + 0xe6546b64u;
}

kernel void updates(global int *out, global const int *in, int n) {
	int id = get_global_id(0);
	uint h = id;
	float4 v = (float4)(id, in[id], id * 0.5f, 1.0f);
	int3 w = (int3)(id, id + 1, in[(id + 1) & 63]);
	float f = 0.25f;
	long big = (long)in[id] << 20;
	short s = (short)(id * 3);
	for (int k = 0; k < n; k++) {
		int old = w.x;
		h = mix(h, (uint)w.y + k);
		if (h & 1) {
			float t = v.x + v.y;
			v = v.yzwx;
			v.w = t;
			f += v.x;
		} else {
			int t = w.z - old;
			w.x = t;
			w.yz += (int2)(k, 2);
			s = (short)(s + t);
		}
		f += v.x;
		big += h + s;
		w.z ^= (int)big;
	}
	int sum = w.x + w.y + w.z;
	float all = v.x + v.y + v.z + v.w;
	out[id] = sum + (int)all + (int)f + (int)h + (int)big + s;
}
