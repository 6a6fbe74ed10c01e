// Functions of NVIDIA's device library that are an instruction or two of PTX each, as clang's headers declare
// them: those that are not defined here the machine has by their names.
//
// Sources: "libdevice User's Guide"; "PTX ISA", the instructions.
#pragma once

#define CUDA_LIBRARY(T, name, parameters, ...)                                                           \
  __device__ inline __attribute__((always_inline, nodebug)) T __nv_##name parameters { return __VA_ARGS__; }
// CUDA_INSTRUCTION defines a function that is one instruction; to and of say which registers.
#define CUDA_INSTRUCTION(T, name, parameters, instruction, to, operands, ...)                            \
  __device__ inline __attribute__((always_inline, nodebug)) T __nv_##name parameters {                   \
    T result;                                                                                            \
    __asm__(instruction " %0, " operands ";" : to(result) : __VA_ARGS__);                                \
    return result;                                                                                       \
  }
#define CUDA_CONVERSION(T, name, U, instruction, to, of) CUDA_INSTRUCTION(T, name, (U x), instruction, to, "%1", of(x))

extern "C" {
// Bits as they are.
CUDA_LIBRARY(int, float_as_int, (float x), __builtin_bit_cast(int, x))
CUDA_LIBRARY(unsigned, float_as_uint, (float x), __builtin_bit_cast(unsigned, x))
CUDA_LIBRARY(float, int_as_float, (int x), __builtin_bit_cast(float, x))
CUDA_LIBRARY(float, uint_as_float, (unsigned x), __builtin_bit_cast(float, x))
CUDA_LIBRARY(unsigned long long, double_as_longlong, (double x), __builtin_bit_cast(unsigned long long, x))
CUDA_LIBRARY(double, longlong_as_double, (long long x), __builtin_bit_cast(double, x))
CUDA_LIBRARY(int, double2hiint, (double x), (int)(__builtin_bit_cast(unsigned long long, x) >> 32))
CUDA_LIBRARY(int, double2loint, (double x), (int)__builtin_bit_cast(unsigned long long, x))
CUDA_LIBRARY(double, hiloint2double, (int high, int low),
             __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low))

// Integers.
CUDA_LIBRARY(int, min, (int x, int y), x < y ? x : y)
CUDA_LIBRARY(int, max, (int x, int y), x > y ? x : y)
CUDA_LIBRARY(unsigned, umin, (unsigned x, unsigned y), x < y ? x : y)
CUDA_LIBRARY(unsigned, umax, (unsigned x, unsigned y), x > y ? x : y)
CUDA_LIBRARY(long long, llmin, (long long x, long long y), x < y ? x : y)
CUDA_LIBRARY(long long, llmax, (long long x, long long y), x > y ? x : y)
CUDA_LIBRARY(unsigned long long, ullmin, (unsigned long long x, unsigned long long y), x < y ? x : y)
CUDA_LIBRARY(unsigned long long, ullmax, (unsigned long long x, unsigned long long y), x > y ? x : y)
CUDA_LIBRARY(int, abs, (int x), x < 0 ? (int)(0u - (unsigned)x) : x)
CUDA_LIBRARY(long long, llabs, (long long x), x < 0 ? (long long)(0ull - (unsigned long long)x) : x)
CUDA_LIBRARY(int, mulhi, (int x, int y), (int)((long long)x * y >> 32))
CUDA_LIBRARY(unsigned, umulhi, (unsigned x, unsigned y), (unsigned)((unsigned long long)x * y >> 32))
CUDA_INSTRUCTION(long long, mul64hi, (long long x, long long y), "mul.hi.s64", "=l", "%1, %2", "l"(x), "l"(y))
CUDA_INSTRUCTION(unsigned long long, umul64hi, (unsigned long long x, unsigned long long y), "mul.hi.u64", "=l", "%1, %2",
                 "l"(x), "l"(y))
CUDA_INSTRUCTION(int, mul24, (int x, int y), "mul24.lo.s32", "=r", "%1, %2", "r"(x), "r"(y))
CUDA_INSTRUCTION(unsigned, umul24, (unsigned x, unsigned y), "mul24.lo.u32", "=r", "%1, %2", "r"(x), "r"(y))
CUDA_INSTRUCTION(int, sad, (int x, int y, int z), "sad.s32", "=r", "%1, %2, %3", "r"(x), "r"(y), "r"(z))
CUDA_INSTRUCTION(unsigned, usad, (unsigned x, unsigned y, unsigned z), "sad.u32", "=r", "%1, %2, %3", "r"(x), "r"(y), "r"(z))
CUDA_INSTRUCTION(int, byte_perm, (int x, int y, int z), "prmt.b32", "=r", "%1, %2, %3", "r"(x), "r"(y),
                 "r"(z & 0x7777))
CUDA_CONVERSION(int, clz, int, "clz.b32", "=r", "r")
CUDA_CONVERSION(int, clzll, long long, "clz.b64", "=r", "l")
CUDA_CONVERSION(int, popc, unsigned, "popc.b32", "=r", "r")
CUDA_CONVERSION(int, popcll, unsigned long long, "popc.b64", "=r", "l")
CUDA_CONVERSION(int, brev, int, "brev.b32", "=r", "r")
CUDA_CONVERSION(long long, brevll, long long, "brev.b64", "=l", "l")
CUDA_LIBRARY(int, ffs, (int x), 32 - __nv_clz(x & -(unsigned)x))
CUDA_LIBRARY(int, ffsll, (long long x), 64 - __nv_clzll(x & -(unsigned long long)x))

// Floats.
#define CUDA_FLOATS(T, f, width, letter)                                                                 \
  CUDA_LIBRARY(T, fabs##f, (T x), __builtin_fabs##f(x))                                                  \
  CUDA_LIBRARY(T, floor##f, (T x), __builtin_floor##f(x))                                                \
  CUDA_LIBRARY(T, ceil##f, (T x), __builtin_ceil##f(x))                                                  \
  CUDA_LIBRARY(T, trunc##f, (T x), __builtin_trunc##f(x))                                                \
  CUDA_LIBRARY(T, rint##f, (T x), __builtin_rint##f(x))                                                  \
  CUDA_LIBRARY(T, nearbyint##f, (T x), __builtin_nearbyint##f(x))                                        \
  CUDA_LIBRARY(T, copysign##f, (T x, T y), __builtin_copysign##f(x, y))                                  \
  CUDA_LIBRARY(T, sqrt##f, (T x), __builtin_sqrt##f(x))                                                  \
  CUDA_LIBRARY(T, fma##f, (T x, T y, T z), __builtin_fma##f(x, y, z))                                    \
  CUDA_INSTRUCTION(T, fmax##f, (T x, T y), "max.f" width, "=" letter, "%1, %2", letter(x), letter(y))    \
  CUDA_INSTRUCTION(T, fmin##f, (T x, T y), "min.f" width, "=" letter, "%1, %2", letter(x), letter(y))
CUDA_FLOATS(float, f, "32", "f")
CUDA_FLOATS(double, , "64", "d")
#undef CUDA_FLOATS
CUDA_LIBRARY(int, isnanf, (float x), x != x)
CUDA_LIBRARY(int, isnand, (double x), x != x)
CUDA_LIBRARY(int, isinff, (float x), __builtin_fabsf(x) == __builtin_inff())
CUDA_LIBRARY(int, isinfd, (double x), __builtin_fabs(x) == __builtin_inf())
CUDA_LIBRARY(int, finitef, (float x), __builtin_fabsf(x) < __builtin_inff())
CUDA_LIBRARY(int, isfinited, (double x), __builtin_fabs(x) < __builtin_inf())
CUDA_LIBRARY(int, signbitf, (float x), (int)(__builtin_bit_cast(unsigned, x) >> 31))
CUDA_LIBRARY(int, signbitd, (double x), (int)(__builtin_bit_cast(unsigned long long, x) >> 63))
CUDA_CONVERSION(float, rsqrtf, float, "rsqrt.approx.f32", "=f", "f")
CUDA_CONVERSION(float, saturatef, float, "cvt.sat.f32.f32", "=f", "f")
CUDA_INSTRUCTION(float, fast_fdividef, (float x, float y), "div.approx.f32", "=f", "%1, %2", "f"(x), "f"(y))

// Each way of rounding, by its letter in names of functions and that in PTX.
#define CUDA_ROUNDED(r, p)                                                                               \
  CUDA_INSTRUCTION(float, fadd_r##r, (float x, float y), "add.r" #p ".f32", "=f", "%1, %2", "f"(x), "f"(y))   \
  CUDA_INSTRUCTION(float, fsub_r##r, (float x, float y), "sub.r" #p ".f32", "=f", "%1, %2", "f"(x), "f"(y))   \
  CUDA_INSTRUCTION(float, fmul_r##r, (float x, float y), "mul.r" #p ".f32", "=f", "%1, %2", "f"(x), "f"(y))   \
  CUDA_INSTRUCTION(float, fdiv_r##r, (float x, float y), "div.r" #p ".f32", "=f", "%1, %2", "f"(x), "f"(y))   \
  CUDA_INSTRUCTION(float, fmaf_r##r, (float x, float y, float z), "fma.r" #p ".f32", "=f", "%1, %2, %3", "f"(x),  \
                   "f"(y), "f"(z))                                                                       \
  CUDA_CONVERSION(float, frcp_r##r, float, "rcp.r" #p ".f32", "=f", "f")                                 \
  CUDA_CONVERSION(float, fsqrt_r##r, float, "sqrt.r" #p ".f32", "=f", "f")                               \
  CUDA_INSTRUCTION(double, dadd_r##r, (double x, double y), "add.r" #p ".f64", "=d", "%1, %2", "d"(x), "d"(y))  \
  CUDA_INSTRUCTION(double, dsub_r##r, (double x, double y), "sub.r" #p ".f64", "=d", "%1, %2", "d"(x), "d"(y))  \
  CUDA_INSTRUCTION(double, dmul_r##r, (double x, double y), "mul.r" #p ".f64", "=d", "%1, %2", "d"(x), "d"(y))  \
  CUDA_INSTRUCTION(double, ddiv_r##r, (double x, double y), "div.r" #p ".f64", "=d", "%1, %2", "d"(x), "d"(y))  \
  CUDA_INSTRUCTION(double, fma_r##r, (double x, double y, double z), "fma.r" #p ".f64", "=d", "%1, %2, %3", "d"(x),  \
                   "d"(y), "d"(z))                                                                       \
  CUDA_CONVERSION(double, drcp_r##r, double, "rcp.r" #p ".f64", "=d", "d")                               \
  CUDA_CONVERSION(double, dsqrt_r##r, double, "sqrt.r" #p ".f64", "=d", "d")                             \
  CUDA_CONVERSION(float, double2float_r##r, double, "cvt.r" #p ".f32.f64", "=f", "d")                    \
  CUDA_CONVERSION(int, float2int_r##r, float, "cvt.r" #p "i.s32.f32", "=r", "f")                          \
  CUDA_CONVERSION(unsigned, float2uint_r##r, float, "cvt.r" #p "i.u32.f32", "=r", "f")                    \
  CUDA_CONVERSION(long long, float2ll_r##r, float, "cvt.r" #p "i.s64.f32", "=l", "f")                     \
  CUDA_CONVERSION(unsigned long long, float2ull_r##r, float, "cvt.r" #p "i.u64.f32", "=l", "f")           \
  CUDA_CONVERSION(int, double2int_r##r, double, "cvt.r" #p "i.s32.f64", "=r", "d")                        \
  CUDA_CONVERSION(unsigned, double2uint_r##r, double, "cvt.r" #p "i.u32.f64", "=r", "d")                  \
  CUDA_CONVERSION(long long, double2ll_r##r, double, "cvt.r" #p "i.s64.f64", "=l", "d")                   \
  CUDA_CONVERSION(unsigned long long, double2ull_r##r, double, "cvt.r" #p "i.u64.f64", "=l", "d")         \
  CUDA_CONVERSION(float, int2float_r##r, int, "cvt.r" #p ".f32.s32", "=f", "r")                          \
  CUDA_CONVERSION(float, uint2float_r##r, unsigned, "cvt.r" #p ".f32.u32", "=f", "r")                    \
  CUDA_CONVERSION(float, ll2float_r##r, long long, "cvt.r" #p ".f32.s64", "=f", "l")                     \
  CUDA_CONVERSION(float, ull2float_r##r, unsigned long long, "cvt.r" #p ".f32.u64", "=f", "l")           \
  CUDA_CONVERSION(double, ll2double_r##r, long long, "cvt.r" #p ".f64.s64", "=d", "l")                   \
  CUDA_CONVERSION(double, ull2double_r##r, unsigned long long, "cvt.r" #p ".f64.u64", "=d", "l")
CUDA_ROUNDED(n, n)
CUDA_ROUNDED(z, z)
CUDA_ROUNDED(d, m)
CUDA_ROUNDED(u, p)
CUDA_LIBRARY(double, int2double_rn, (int x), x)
CUDA_LIBRARY(double, uint2double_rn, (unsigned x), x)
#undef CUDA_ROUNDED
}
#undef CUDA_CONVERSION
#undef CUDA_INSTRUCTION
#undef CUDA_LIBRARY
