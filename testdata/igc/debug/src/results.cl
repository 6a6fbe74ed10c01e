// Functions that return objects of every kind, and recurse so that they stay
// functions: n calls deep each adds one to (the first part of) what it returns.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct { int a; float b; } pair;
typedef struct { char a; short b; char c; int d; } mixed;
typedef struct { global int *p; } holder;
typedef struct { long a; } wide;
typedef struct { float2 v; } vector;
typedef struct { long a; int b[6]; } big;

char f_char(int n) { if (n == 0) return -3; return f_char(n - 1) + 1; }
short f_short(int n) { if (n == 0) return -300; return f_short(n - 1) + 1; }
long f_long(int n) { if (n == 0) return 1L << 40; return f_long(n - 1) + 1; }
half f_half(int n) { if (n == 0) return 0.5h; return f_half(n - 1) + 1; }
float f_float(int n) { if (n == 0) return 1.5f; return f_float(n - 1) + 1; }
double f_double(int n) { if (n == 0) return 2.5; return f_double(n - 1) + 1; }
bool f_bool(int n) { if (n == 0) return true; return !f_bool(n - 1); }
global int *f_pointer(global int *p, int n) { if (n == 0) return p; return f_pointer(p, n - 1) + 1; }
char3 f_char3(int n) { if (n == 0) return (char3)(n + 1, n + 2, n + 3); return f_char3(n - 1) + (char3)(1); }
short4 f_short4(int n) { if (n == 0) return (short4)(n + 1, n + 2, n + 3, n + 4); return f_short4(n - 1) + (short4)(1); }
int3 f_int3(int n) { if (n == 0) return (int3)(n + 1, n + 2, n + 3); return f_int3(n - 1) + 1; }
double2 f_double2(int n) { if (n == 0) return (double2)(n + 1, n + 2); return f_double2(n - 1) + 1; }
pair f_pair(int n) { pair r; if (n == 0) { r.a = 7; r.b = 0.5f; return r; } r = f_pair(n - 1); r.a++; return r; }
mixed f_mixed(int n) { mixed r; if (n == 0) { r.a = 1; r.b = -2; r.c = 3; r.d = -4; return r; } r = f_mixed(n - 1); r.a++; return r; }
holder f_holder(global int *p, int n) { holder r; if (n == 0) { r.p = p; return r; } r = f_holder(p, n - 1); r.p++; return r; }
wide f_wide(int n) { wide r; if (n == 0) { r.a = -5; return r; } r = f_wide(n - 1); r.a++; return r; }
vector f_vector(int n) { vector r; if (n == 0) { r.v = (float2)(n + 1, n + 2.5f); return r; } r = f_vector(n - 1); r.v.x++; return r; }
big f_big(int n) { big r; if (n == 0) { r.a = 9; for (int k = 0; k < 6; k++) r.b[k] = k * k; return r; } r = f_big(n - 1); r.a++; return r; }

kernel void results(global int *out, global const int *in) {
	int i = get_global_id(0);
	int n = in[i] & 3;
	int r = f_char(n) + f_short(n) + f_half(n) + f_float(n) + f_double(n) + f_bool(n);
	r += f_long(n);
	r += f_pointer(out, n) - out;
	r += f_char3(n).x + f_short4(n).y + f_int3(n).z + f_double2(n).y;
	r += f_pair(n).a + f_mixed(n).d + (f_holder(out, n).p - out) + f_wide(n).a + f_vector(n).v.y + f_big(n).b[2];
	out[i] = r;
}
