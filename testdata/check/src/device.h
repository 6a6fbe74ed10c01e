// What the kernels of this folder need, for each compiler.
#ifdef __AMDGCN__
#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define BARRIER                                        \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier();                        \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
#define BUILTIN_ATOMICS
#elif defined(__NVPTX__)
#define LOCAL_ID __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define BARRIER __nvvm_bar_sync(0)
#define BUILTIN_ATOMICS
// clang forgets the orders of atomic operations for PTX.
#define FENCE(order)        \
  if (order != __ATOMIC_RELAXED) \
  __nvvm_membar_gl()
#else
#define LOCAL_ID get_local_id(0)
#define GROUP get_group_id(0)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

#ifdef BUILTIN_ATOMICS
#ifdef FENCE
static int add(__global int *p, int v, int order) {
  FENCE(order);
  int old = __opencl_atomic_fetch_add((volatile __global atomic_int *)(p), v, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  FENCE(order);
  return old;
}
#define ADD(p, v, order, scope) add(p, v, order)
#else
#define ADD(p, v, order, scope) \
  __opencl_atomic_fetch_add((volatile __global atomic_int *)(p), v, order, scope)
#endif
#define ADD_LOCAL(p, v) \
  __opencl_atomic_fetch_add((volatile __local atomic_int *)(p), v, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP)
#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define ALL __OPENCL_MEMORY_SCOPE_DEVICE
#else
#define ADD(p, v, order, scope) \
  atomic_fetch_add_explicit((volatile __global atomic_int *)(p), v, order, scope)
#define ADD_LOCAL(p, v) atomic_add(p, v)
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ALL memory_scope_device
#endif
