// Private memory that all work-items read at one place, arguments by value that end in padding or in small elements.

struct wide { float4 v[11]; int x; short y; char z[10]; };
struct padded { ulong a; char c; };
struct small { char a, b, c; };

kernel void uniform_reads(global uint *out, global const uint *in, uint n) {
	uint id = get_global_id(0);
	uint t[128];
	uchar c[96];
	for (uint i = 0; i < 128; i++)
		t[i] = i * i;
	for (uint i = 0; i < 96; i++)
		c[i] = i * 7;
	for (uint i = 0; i < n; i++)
		t[in[i] & 127] ^= in[i + 1];
	for (uint i = 0; i < n; i++)
		c[in[i] % 96] ^= in[i + 2];
	uint s = 0;
	for (uint i = 0; i < n; i++)
		s = s * 31 + t[i & 127] + t[(n >> 1) & 127] + c[in[i] % 96];
	uint2 x = vload2(n & 7, t);
	uint4 y = vload4(n & 3, t);
	uint8 z = *(uint8 *)&t[(n & 3) * 8];
	ulong16 w = *(ulong16 *)&t[(n & 3) * 32];
	out[2 * id] = s ^ x.x ^ x.y * 3 ^ y.x * 5 ^ y.w * 7;
	out[2 * id + 1] = id + z.s0 + z.s3 * 3 + z.s7 * 5 + (uint)w.s2 * 7 + (uint)(w.sf >> 32) * 11;
}

kernel void sizes(global uint *out, struct wide s, struct padded t, struct small u, char c, short3 v) {
	uint id = get_global_id(0);
	out[4 * id] = (uint)s.v[id % 11].y + s.x * 3 + s.y;
	out[4 * id + 1] = s.z[9] + s.z[id % 10] * 31;
	out[4 * id + 2] = (uint)t.a + (uint)(t.a >> 32) * 3 + t.c * 5;
	out[4 * id + 3] = u.a + u.b * 3 + u.c * 5 + c * 7 + v.x * 11 + v.z * 13;
}
