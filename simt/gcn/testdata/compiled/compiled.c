// For the GPU: a function for each operation, called op_ and its line in
// operations.h. With HOST defined: a program that reads the operands of some
// calls, three 64-bit numbers each, and writes the results of each operation
// for all of them.

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
#define VECTOR(n) __attribute__((ext_vector_type(n)))
typedef s16 i16x2 VECTOR(2);
typedef u16 u16x2 VECTOR(2);
typedef _Float16 f16x2 VECTOR(2);
typedef float f32x2 VECTOR(2);
typedef u8 u8x4 VECTOR(4);
typedef s8 s8x4 VECTOR(4);

#define AS(type, from, ...) ({ union { from f; type t; } u_; u_.f = (__VA_ARGS__); u_.t; })

static inline u64 nan16(u64 v) { return (v & 0x7fff) > 0x7c00 ? 0x7e00 : v; }
static inline u64 nan32(u64 v) { return (v & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : v; }
static inline u64 nan64(u64 v) { return (v & ~0ull >> 1) > 0x7ff0ull << 48 ? 0x7ff8ull << 48 : v; }

// Conversions whose C definition ends where the integer type does.
static inline s32 f2i(float f) { return f > -0x1p31f && f < 0x1p31f ? (s32)f : 77; }
static inline u32 f2u(float f) { return f >= 0 && f < 0x1p32f ? (u32)f : 77; }
static inline s64 f2l(float f) { return f > -0x1p63f && f < 0x1p63f ? (s64)f : 77; }
static inline u64 f2ul(float f) { return f >= 0 && f < 0x1p64f ? (u64)f : 77; }
static inline s32 d2i(double f) { return f > -0x1p31 && f < 0x1p31 ? (s32)f : 77; }
static inline s64 d2l(double f) { return f > -0x1p63 && f < 0x1p63 ? (s64)f : 77; }
static inline u64 d2ul(double f) { return f >= 0 && f < 0x1p64 ? (u64)f : 77; }
static inline s16 h2s(_Float16 f) { return f > (_Float16)-32768.f && f < (_Float16)32752.f ? (s16)f : 77; }

// The operands a, b and c, and their low parts as other types: x, y and z.
#define OPERANDS \
	u32 x = a, y = b, z = c; \
	s32 sx = x, sy = y, sz = z; \
	s64 la = a, lb = b; \
	u16 wx = x, wy = y, wz = z; \
	s16 ix = x, iy = y, iz = z; \
	u8 bx = x, by = y; \
	s8 cx = x, cy = y; \
	float fx = AS(float, u32, x), fy = AS(float, u32, y), fz = AS(float, u32, z); \
	double da = AS(double, u64, a), db = AS(double, u64, b), dc = AS(double, u64, c); \
	_Float16 px = AS(_Float16, u16, x), py = AS(_Float16, u16, y); \
	i16x2 i2x = AS(i16x2, u32, x), i2y = AS(i16x2, u32, y), i2z = AS(i16x2, u32, z); \
	u16x2 w2x = AS(u16x2, u32, x), w2y = AS(u16x2, u32, y), w2z = AS(u16x2, u32, z); \
	f16x2 p2x = AS(f16x2, u32, x), p2y = AS(f16x2, u32, y), p2z = AS(f16x2, u32, z); \
	f32x2 f2x = AS(f32x2, u64, a), f2y = AS(f32x2, u64, b), f2z = AS(f32x2, u64, c); \
	u8x4 b4x = AS(u8x4, u32, x), b4y = AS(u8x4, u32, y); \
	s8x4 c4x = AS(s8x4, u32, x), c4y = AS(s8x4, u32, y);

#define NAME_(line) op_##line
#define NAME(line) NAME_(line)
#define FUNCTION(...) \
	u64 NAME(__LINE__)(u64 a, u64 b, u64 c) { OPERANDS return __VA_ARGS__; }
#define INT(...) FUNCTION((u64)(__VA_ARGS__))
#define INT2(...) FUNCTION(AS(u32, typeof(__VA_ARGS__), __VA_ARGS__))
#define INT4(...) INT2(__VA_ARGS__)
#define F16(...) FUNCTION(nan16(AS(u16, _Float16, __VA_ARGS__)))
#define F32(...) FUNCTION(nan32(AS(u32, float, __VA_ARGS__)))
#define F64(...) FUNCTION(nan64(AS(u64, double, __VA_ARGS__)))
#define F16x2(...) FUNCTION(({ u32 r_ = AS(u32, f16x2, __VA_ARGS__); nan16(r_ & 0xffff) | nan16(r_ >> 16) << 16; }))
#define F32x2(...) FUNCTION(({ u64 r_ = AS(u64, f32x2, __VA_ARGS__); nan32((u32)r_) | nan32(r_ >> 32) << 32; }))
#include "operations.h"

#ifdef HOST
#undef FUNCTION
#define FUNCTION(...) NAME(__LINE__),
static u64 (*const operations[])(u64, u64, u64) = {
#include "operations.h"
};

#include <stdio.h>
#include <stdlib.h>

int main(void) {
	static u64 calls[4096][3];
	size_t n = fread(calls, sizeof *calls, 4096, stdin);
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		for (size_t k = 0; k < n; k++) {
			u64 r = operations[i](calls[k][0], calls[k][1], calls[k][2]);
			fwrite(&r, sizeof r, 1, stdout);
		}
}
#endif
