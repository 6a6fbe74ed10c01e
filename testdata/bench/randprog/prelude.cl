#pragma OPENCL FP_CONTRACT OFF
#ifndef RETURNS_STRUCT // with a compiler that may make these inline
#define RETURNS_STRUCT __attribute__((noinline))
#endif
#ifdef OWN
// What the library and its headers have, for where there are none.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __attribute__((ext_vector_type(3))) uint uint3;
typedef __attribute__((ext_vector_type(4))) uint uint4;
#define BUILTIN static inline __attribute__((overloadable))
BUILTIN uint mul24(uint a, uint b) { return (a & 0xffffffu) * (b & 0xffffffu); }
BUILTIN int mul24(int a, int b) { return (int)((uint)(a << 8 >> 8) * (uint)(b << 8 >> 8)); }
BUILTIN uint mad24(uint a, uint b, uint c) { return mul24(a, b) + c; }
BUILTIN uint mul_hi(uint a, uint b) { return (ulong)a * b >> 32; }
BUILTIN int mul_hi(int a, int b) { return (long)a * b >> 32; }
BUILTIN uint mad_hi(uint a, uint b, uint c) { return mul_hi(a, b) + c; }
BUILTIN uint rotate(uint a, uint b) { return a << (b & 31) | a >> (-b & 31); }
BUILTIN uint popcount(uint a) { return __builtin_popcount(a); }
BUILTIN uint clz(uint a) { return a ? __builtin_clz(a) : 32; }
BUILTIN uint min(uint a, uint b) { return b < a ? b : a; }
BUILTIN uint max(uint a, uint b) { return a < b ? b : a; }
BUILTIN int min(int a, int b) { return b < a ? b : a; }
BUILTIN int max(int a, int b) { return a < b ? b : a; }
BUILTIN uint abs_diff(int a, int b) { return a < b ? (uint)b - (uint)a : (uint)a - (uint)b; }
BUILTIN uint hadd(uint a, uint b) { return ((ulong)a + b) >> 1; }
BUILTIN uint rhadd(uint a, uint b) { return ((ulong)a + b + 1) >> 1; }
BUILTIN uint add_sat(uint a, uint b) { return a + b < a ? 0xffffffffu : a + b; }
BUILTIN uint sub_sat(uint a, uint b) { return a < b ? 0 : a - b; }
BUILTIN int add_sat(int a, int b) { long s = (long)a + b; return s > 0x7fffffff ? 0x7fffffff : s < -0x7fffffff - 1 ? -0x7fffffff - 1 : s; }
BUILTIN uint bitselect(uint a, uint b, uint c) { return (a & ~c) | (b & c); }
BUILTIN float fmin(float a, float b) { return b < a ? b : a; }
BUILTIN float fmax(float a, float b) { return a < b ? b : a; }
BUILTIN float floor(float a) { return __builtin_floorf(a); }
BUILTIN float trunc(float a) { return __builtin_truncf(a); }
BUILTIN float rint(float a) { return __builtin_rintf(a); }
BUILTIN float fabs(float a) { return __builtin_fabsf(a); }
BUILTIN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#endif
#ifdef HOST
#define KERNEL(name) void name(uint id, uint *out, const uint *in)
#define ID
#else
#define KERNEL(name) __kernel void name(__global uint *out, __global const uint *in)
#ifdef OWN
#define ID uint id = __nvvm_read_ptx_sreg_ctaid_x() * 64 + __nvvm_read_ptx_sreg_tid_x();
#else
#define ID uint id = get_global_id(0);
#endif
#endif
static inline uint bits(float f) { union { float x; uint u; } b; b.x = f; return b.u; }
static inline float tame(float f) { return f > -1e6f && f < 1e6f ? f : 1.5f; }
static inline uint sum3(uint3 v) { return v.x ^ v.y * 3u ^ v.z * 5u; }
static inline uint sum4(uint4 v) { return v.x ^ v.y * 3u ^ v.z * 5u ^ v.w * 7u; }
