// returned: functions that return every kind of object, and a kernel that
// stores what each of them returned: TestReturned compares it with what the
// stub finds in the registers after the return.
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef float float64 __attribute__((ext_vector_type(64)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef _Float16 half3 __attribute__((ext_vector_type(3)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef unsigned char uchar4 __attribute__((ext_vector_type(4)));
typedef short short8 __attribute__((ext_vector_type(8)));

struct One { int a; };
struct OneFloat { float a; };
struct Three { char a[3]; };
struct Mixed { float a; int b; };
struct Eight { char a; short b; int c; };
struct Nine { char a[9]; };
struct Twelve { int a, b, c; };
struct Doubles { double a, b; };
struct LongFloat { long a; float b; };
struct Nested { struct { float x, y, z; } p; int k; };
struct Sixteen { int a[16]; };
struct Seventeen { int a[17]; };
struct Many { int a[20]; double b; };
struct Shorts { short a[6]; };
struct Halves { _Float16 a, b, c, d, e; };
struct Fields { unsigned a : 3; int b : 7; unsigned c : 22; double d; };
struct LongFields { long a; unsigned b : 5, c : 9; short d; };
struct FewFields { unsigned a : 3; int b : 7; unsigned c : 22; };
struct WideFields { int a; unsigned b : 20; int c, d; };
union Word { int a; float b; };
union Pair { double a; int b[4]; };
union Long { float a; long b; };
struct WithUnion { int a; Pair b; };
struct WithVector { int a; float3 b; int c; };
struct WithHalves { half4 a; int b; };
struct WithBytes { uchar4 a; int b, c; };
struct WithBools { bool a; int b; bool c; long d; };
struct alignas(16) Aligned { int a; };
struct AfterAligned { Aligned a; int b; };
struct __attribute__((packed)) Packed { char a; int b; short c; };
struct __attribute__((packed)) PackedLong { char a; long b; short c; };
struct Base { int a; char b; };
struct Derived : Base { char c; int d; };
struct Second { float e; };
struct Twice : Base, Second { double f; };
struct Empty {};
struct FromEmpty : Empty { int a, b, c; };
struct HasEmpty { int a; Empty b; int c, d; };
struct Static { static int s; int a; long b; int c; };
struct Owner {
  int a;
  __attribute__((device)) Owner() {}
  __attribute__((device)) Owner(const Owner &o) : a(o.a) {}
  __attribute__((device)) ~Owner() { a = 0; }
};
enum Colour { RED, GREEN, BLUE };
enum class Small : unsigned char { A, B, C };

#define FUNCTIONS                                                              \
  F(bool, r_bool, r = v & 1)                                                   \
  F(signed char, r_char, r = -v)                                               \
  F(unsigned short, r_ushort, r = 65000 + v)                                   \
  F(int, r_int, r = v * 3 - 7)                                                 \
  F(long, r_long, r = -(long)v * 10000000000L)                                 \
  F(__int128, r_int128, r = ((__int128)v << 70) + v)                           \
  F(_Float16, r_half, r = v * 0.25f)                                           \
  F(float, r_float, r = v * 0.5f)                                              \
  F(double, r_double, r = v * 0.125)                                           \
  F(_Complex float, r_complex, r = v + 2.0if)                                  \
  F(_Complex double, r_complex2, r = v + 0.5i)                                 \
  F(int *, r_pointer, r = (int *)0x123456789000 + v)                           \
  F(Colour, r_enum, r = v & 1 ? GREEN : BLUE)                                  \
  F(Small, r_small, r = (Small)(v % 3))                                        \
  F(float2, r_float2, r.x = v; r.y = -v)                                       \
  F(float3, r_float3, r.x = v; r.y = -v; r.z = v * 0.5f)                       \
  F(float8, r_float8, for (int i = 0; i < 8; i++) r[i] = i + v)                \
  F(float64, r_float64, for (int i = 0; i < 64; i++) r[i] = i + v)             \
  F(double2, r_double2, r.x = v; r.y = -v)                                     \
  F(half2, r_half2, r.x = v; r.y = -v)                                         \
  F(half3, r_half3, r.x = v; r.y = -v; r.z = 3)                                \
  F(half4, r_half4, r.x = v; r.y = -v; r.z = 3; r.w = v + 1)                   \
  F(uchar4, r_uchar4, r.x = v; r.y = v + 1; r.z = 7; r.w = v * 2)              \
  F(short8, r_short8, for (int i = 0; i < 8; i++) r[i] = i * v)                \
  F(One, r_one, r.a = v - 5)                                                   \
  F(OneFloat, r_one_float, r.a = v * 1.5f)                                     \
  F(Three, r_three, r.a[0] = v; r.a[1] = 'b'; r.a[2] = v + 1)                  \
  F(Mixed, r_mixed, r.a = v * 0.5f; r.b = v)                                   \
  F(Eight, r_eight, r.a = v; r.b = -v; r.c = v * 5)                            \
  F(Nine, r_nine, for (int i = 0; i < 9; i++) r.a[i] = i + v)                  \
  F(Twelve, r_twelve, r.a = v; r.b = v * 2; r.c = v * 3)                       \
  F(Doubles, r_doubles, r.a = v; r.b = -v * 0.5)                               \
  F(LongFloat, r_long_float, r.a = v * 1000000000000L; r.b = v)                \
  F(Nested, r_nested, r.p.x = v; r.p.y = -v; r.p.z = 1; r.k = v + 1)           \
  F(Sixteen, r_sixteen, for (int i = 0; i < 16; i++) r.a[i] = i + v)           \
  F(Seventeen, r_seventeen, for (int i = 0; i < 17; i++) r.a[i] = i * v)       \
  F(Many, r_many, for (int i = 0; i < 20; i++) r.a[i] = i * v; r.b = v * 0.5)  \
  F(Shorts, r_shorts, for (int i = 0; i < 6; i++) r.a[i] = i * v)              \
  F(Halves, r_halves, r.a = v; r.b = 2; r.c = -v; r.d = 4; r.e = v + 1)        \
  F(Fields, r_fields, r.a = v; r.b = -v; r.c = v * 77; r.d = v)                \
  F(LongFields, r_long_fields, r.a = -v; r.b = v; r.c = v * 3; r.d = v + 5)    \
  F(FewFields, r_few_fields, r.a = v; r.b = -v; r.c = v * 77)                  \
  F(WideFields, r_wide_fields, r.a = v; r.b = v * 5; r.c = 7; r.d = -v)        \
  F(Word, r_word, r.b = v * 0.5f)                                              \
  F(Pair, r_pair, for (int i = 0; i < 4; i++) r.b[i] = v + i)                  \
  F(Long, r_union_long, r.b = v * 0x100000001L)                                \
  F(WithUnion, r_with_union, r.a = v; for (int i = 0; i < 4; i++) r.b.b[i] = i)\
  F(WithVector, r_with_vector, r.a = v; r.b.x = v; r.b.y = -v; r.b.z = 9; r.c = 3) \
  F(WithHalves, r_with_halves, r.a.x = 1; r.a.y = v; r.a.z = 3; r.a.w = 4; r.b = v) \
  F(WithBytes, r_with_bytes, r.a.x = 1; r.a.y = v; r.a.z = 3; r.a.w = 4; r.b = v; r.c = 8) \
  F(WithBools, r_with_bools, r.a = v & 1; r.b = v; r.c = !(v & 1); r.d = v)    \
  F(Aligned, r_aligned, r.a = v)                                               \
  F(AfterAligned, r_after_aligned, r.a.a = v; r.b = v * 2)                     \
  F(Packed, r_packed, r.a = v; r.b = v * 3; r.c = v * 4)                       \
  F(PackedLong, r_packed_long, r.a = v; r.b = v * 3L; r.c = v * 4)             \
  F(Derived, r_derived, r.a = v; r.b = v; r.c = v + 1; r.d = v + 2)            \
  F(Twice, r_twice, r.a = v; r.b = v; r.e = v + 1; r.f = v + 2)                \
  F(FromEmpty, r_from_empty, r.a = v; r.b = 4; r.c = 5)                        \
  F(HasEmpty, r_has_empty, r.a = v; r.c = 4; r.d = 5)                          \
  F(Static, r_static, r.a = v; r.b = 2; r.c = v + 1)                           \
  F(Owner, r_owner, r.a = v)

#define F(TYPE, NAME, ...)                                                     \
  __attribute__((device, noinline)) TYPE NAME(int v) {                         \
    TYPE r;                                                                    \
    __VA_ARGS__;                                                               \
    return r;                                                                  \
  }
FUNCTIONS
#undef F

#define SLOT 256

extern "C" __attribute__((global)) void returned(char *out) {
  int id = __builtin_amdgcn_workitem_id_x(), slot = 0;
#define F(TYPE, NAME, ...)                                                     \
  {                                                                            \
    TYPE r = NAME(id);                                                         \
    __builtin_memcpy(out + (slot++ * 64 + id) * SLOT, &r, sizeof r);           \
  }
  FUNCTIONS
}
