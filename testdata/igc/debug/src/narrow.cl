// Values of one and two bytes and of eight, in threads of 32 lanes.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void narrow(global int *out, global const int *in, int n) {
	int id = get_global_id(0);
	char c = (char)(id * 3);
	uchar u = (uchar)(id + 100);
	short s = (short)(id * 300);
	ushort us = (ushort)(id * 7);
	half h = (half)id;
	global const int *p = in + id;
	for (int k = 0; k < n; k++) {
		c += (char)k;
		u ^= (uchar)in[k];
		s = (short)(s + c);
		us = (ushort)(us * 3 + u);
		h += (half)0.5f;
		p = in + ((id + k * 3) & 63);
	}
	out[id] = c + u + s + us + (int)h + p[0];
}
