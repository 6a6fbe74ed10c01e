// The functions of OpenCL C that programs call most, as the library opencl.bc has them: a program that calls
// no other of it is linked with these, since the library is so large that to look into it is most of a small
// program's build.
//
// It is compiled without the declarations of OpenCL C, as images.cl is.

typedef __SIZE_TYPE__ size_t;
typedef unsigned int uint;

// They are weak so that none becomes part of another before all is part of a program.
#define FUNCTION __attribute__((overloadable, weak))
#define CONVERGENT __attribute__((convergent))
#define PURE __attribute__((overloadable, const, weak))

// Work-items.
#define OF(T, NAME)                                                                                 \
  T __attribute__((const)) __ockl_##NAME(uint);                                                     \
  T PURE NAME(uint d) { return __ockl_##NAME(d); }

OF(size_t, get_global_id)
OF(size_t, get_local_id)
OF(size_t, get_group_id)
OF(size_t, get_global_size)
OF(size_t, get_local_size)
OF(size_t, get_num_groups)
OF(size_t, get_global_offset)

uint __attribute__((const)) __ockl_get_work_dim(void);
uint PURE get_work_dim(void) { return __ockl_get_work_dim(); }

// Fences and barriers.
typedef enum memory_order { RELAXED = 0, ACQUIRE = 2, RELEASE, ACQUIRE_RELEASE, IN_SEQUENCE } memory_order;
typedef enum memory_scope { WORK_ITEM, WORK_GROUP, DEVICE, ALL_DEVICES, SUB_GROUP } memory_scope;

#define IN_SCOPE(SCOPE)                                                                             \
  switch (order) {                                                                                  \
  case RELAXED: break;                                                                              \
  case ACQUIRE: __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, SCOPE); break;                             \
  case RELEASE: __builtin_amdgcn_fence(__ATOMIC_RELEASE, SCOPE); break;                             \
  case ACQUIRE_RELEASE: __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, SCOPE); break;                     \
  case IN_SEQUENCE: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, SCOPE); break;                         \
  }                                                                                                 \
  break;

void FUNCTION atomic_work_item_fence(uint flags, memory_order order, memory_scope scope) {
  if (order == RELAXED) return;
  switch (scope) {
  case WORK_ITEM: break;
  case SUB_GROUP: IN_SCOPE("wavefront")
  case WORK_GROUP: IN_SCOPE("workgroup")
  case DEVICE: IN_SCOPE("agent")
  case ALL_DEVICES: IN_SCOPE("")
  }
}

void FUNCTION mem_fence(uint flags) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup"); }
void FUNCTION read_mem_fence(uint flags) { __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); }
void FUNCTION write_mem_fence(uint flags) { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); }

#define BARRIER(SCOPE)                                                                              \
  {                                                                                                 \
    bool both = flags == 3;                                                                         \
    if (flags) {                                                                                    \
      atomic_work_item_fence(flags, both ? IN_SEQUENCE : RELEASE, SCOPE);                           \
      __builtin_amdgcn_s_barrier();                                                                 \
      atomic_work_item_fence(flags, both ? IN_SEQUENCE : ACQUIRE, SCOPE);                           \
    } else {                                                                                        \
      __builtin_amdgcn_s_barrier();                                                                 \
    }                                                                                               \
  }
void FUNCTION CONVERGENT work_group_barrier(uint flags, memory_scope scope) BARRIER(scope)
void FUNCTION CONVERGENT work_group_barrier(uint flags) BARRIER(WORK_GROUP)
void FUNCTION CONVERGENT barrier(uint flags) BARRIER(WORK_GROUP)

// Atomic operations of OpenCL C 1.2. Nothing is said of the memory that they reach.
#if __clang_major__ > 20
#define OF_ANY [[clang::atomic(remote_memory, fine_grained_memory)]]
#else
#define OF_ANY
#endif
#define ATOMIC(WHERE, T, NAME, OPERATION)                                                           \
  T FUNCTION atomic_##NAME(volatile WHERE T *p, T v) {                                              \
    OF_ANY { return __opencl_atomic_##OPERATION((WHERE atomic_##T *)p, v, RELAXED, DEVICE); }       \
  }
#define ATOMIC_ONE(WHERE, T, NAME, OPERATION)                                                       \
  T FUNCTION atomic_##NAME(volatile WHERE T *p) {                                                   \
    OF_ANY { return __opencl_atomic_##OPERATION((WHERE atomic_##T *)p, 1, RELAXED, DEVICE); }       \
  }
#define ATOMICS(WHERE, T)                                                                           \
  ATOMIC(WHERE, T, add, fetch_add)                                                                  \
  ATOMIC(WHERE, T, sub, fetch_sub)                                                                  \
  ATOMIC(WHERE, T, min, fetch_min)                                                                  \
  ATOMIC(WHERE, T, max, fetch_max)                                                                  \
  ATOMIC(WHERE, T, and, fetch_and)                                                                  \
  ATOMIC(WHERE, T, or, fetch_or)                                                                    \
  ATOMIC(WHERE, T, xor, fetch_xor)                                                                  \
  ATOMIC(WHERE, T, xchg, exchange)                                                                  \
  ATOMIC_ONE(WHERE, T, inc, fetch_add)                                                              \
  ATOMIC_ONE(WHERE, T, dec, fetch_sub)                                                              \
  T FUNCTION atomic_cmpxchg(volatile WHERE T *p, T old, T v) {                                      \
    WHERE atomic_##T *at = (WHERE atomic_##T *)p;                                                   \
    __opencl_atomic_compare_exchange_strong(at, &old, v, RELAXED, RELAXED, DEVICE);                 \
    return old;                                                                                     \
  }
ATOMICS(global, int)
ATOMICS(global, uint)
ATOMICS(local, int)
ATOMICS(local, uint)

// Numbers.
#define WHOLE(T)                                                                                    \
  T PURE min(T x, T y) { return y < x ? y : x; }                                                    \
  T PURE max(T x, T y) { return x < y ? y : x; }                                                    \
  T PURE clamp(T x, T low, T high) { return min(max(x, low), high); }
WHOLE(int)
WHOLE(uint)

#define ONE(NAME)                                                                                   \
  float __attribute__((const)) __ocml_##NAME##_f32(float);                                          \
  float PURE NAME(float x) { return __ocml_##NAME##_f32(x); }
#define TWO(NAME)                                                                                   \
  float __attribute__((const)) __ocml_##NAME##_f32(float, float);                                   \
  float PURE NAME(float x, float y) { return __ocml_##NAME##_f32(x, y); }
#define THREE(NAME)                                                                                 \
  float __attribute__((const)) __ocml_##NAME##_f32(float, float, float);                            \
  float PURE NAME(float x, float y, float z) { return __ocml_##NAME##_f32(x, y, z); }
ONE(fabs)
ONE(floor)
ONE(ceil)
ONE(sqrt)
ONE(rsqrt)
ONE(exp)
ONE(log)
ONE(sin)
ONE(cos)
ONE(native_sqrt)
TWO(pow)
TWO(min)
TWO(max)
TWO(fmin)
TWO(fmax)
THREE(mad)
THREE(fma)
