// Private arrays, constant tables, bytes, generic pointers.
#pragma OPENCL FP_CONTRACT OFF

constant uint table[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

kernel void crc(global uint *out, global const uchar *in, uint length) {
	uint i = get_global_id(0);
	uint c = ~0u;
	for (uint k = 0; k < length; k++) {
		c ^= in[i * length + k];
		c = c >> 4 ^ table[c & 15];
		c = c >> 4 ^ table[c & 15];
	}
	out[i] = ~c;
}

kernel void private_array(global int *out, global const uint *in) {
	uint i = get_global_id(0);
	int stack[24];
	for (int k = 0; k < 24; k++)
		stack[k] = k * k;
	for (int k = 0; k < 8; k++)
		stack[(in[i] >> 3 * k & 7) * 3] += k + (int)i;
	int sum = 0;
	for (int k = 0; k < 24; k++)
		sum = sum * 3 + stack[(k * 7 + in[i]) % 24];
	out[i] = sum;
}

kernel void private_bytes(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
	uchar text[40];
	ulong wide[5];
	for (int k = 0; k < 40; k++)
		text[k] = (uchar)(in[i] >> (k & 15));
	for (int k = 0; k < 5; k++)
		wide[k] = (ulong)in[i] * (k + 1000003);
	uint h = 5381;
	for (int k = 0; k < (int)(in[i] & 31) + 8; k++)
		h = h * 33 + text[k] + (uint)(wide[(k + i) % 5] >> 17);
	out[i] = h;
}

kernel void bytes(global uchar *out, global const uchar *in, global ushort *shorts, global ulong *wide) {
	uint i = get_global_id(0);
	out[i] = in[i] + in[i ^ 1] * 2;
	shorts[i] = (ushort)(in[i] << 8 | in[63 - i]);
	wide[i] = (ulong)shorts[i] << 33 | out[i];
}

uint total(const uint *p, int n) { // generic pointers
	uint t = 0;
	for (int k = 0; k < n; k++)
		t = t * 5 + p[k];
	return t;
}

kernel void pointers(global uint *out, global const uint *in) {
	local uint shared[16];
	uint l = get_local_id(0), i = get_global_id(0);
	uint mine[4] = {l, l * l, in[i], 7};
	shared[l & 15] = l & 15;
	barrier(CLK_LOCAL_MEM_FENCE);
#ifdef REFERENCE // without generic pointers
	uint p[4];
	for (int k = 0; k < 4; k++)
		p[k] = l % 3 == 0 ? mine[k] : l % 3 == 1 ? shared[k] : in[k];
#else
	const uint *p = l % 3 == 0 ? mine : l % 3 == 1 ? shared : (const uint *)in;
#endif
	out[i] = total(p, 4);
}

struct node { uint next; uint value; ulong weight; };

kernel void list(global ulong *out, global const struct node *nodes) {
	uint i = get_global_id(0), at = i & 15;
	ulong sum = 0;
	for (int hops = 0; hops < 10; hops++) {
		sum = sum * 3 + nodes[at].value + nodes[at].weight;
		at = nodes[at].next & 15;
		if (at == 0)
			break;
	}
	out[i] = sum;
}

#ifndef REFERENCE
global uint counters[4] = {1, 2, 3, 4};
#endif

kernel void globals(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
#ifdef REFERENCE // without variables of the program
	local uint counters[4];
	if (i < 4)
		counters[i] = i + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
#endif
	atomic_add(&counters[in[i] & 3], 1);
	if (i == 0)
		out[4] = table[3] + counters[0] / 1000;
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (i < 4)
		out[i] = counters[i];
}
