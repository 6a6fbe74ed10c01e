// The work-item functions of OpenCL C (version 1.2, section 6.12.1), its barrier and its fences (6.12.8, 6.12.9) for
// kernels that clang compiles to PTX, which has registers for them. What a launch has no register for, the number of its
// dimensions and an offset, is what PTX's launches have: the dimensions that have more than one work-item, and none.
#pragma once

#define __simtgdb_place __attribute__((overloadable, always_inline, nodebug, const))
#define __simtgdb_sync __attribute__((overloadable, always_inline, nodebug, convergent))

#define __simtgdb_axis(name, of_x, of_y, of_z, beyond) \
  __simtgdb_place size_t name(uint d) { return d == 0 ? (of_x) : d == 1 ? (of_y) : d == 2 ? (of_z) : (beyond); }

__simtgdb_axis(get_local_id, __nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(),
               __nvvm_read_ptx_sreg_tid_z(), 0)
__simtgdb_axis(get_local_size, __nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(),
               __nvvm_read_ptx_sreg_ntid_z(), 1)
__simtgdb_axis(get_group_id, __nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(),
               __nvvm_read_ptx_sreg_ctaid_z(), 0)
__simtgdb_axis(get_num_groups, __nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(),
               __nvvm_read_ptx_sreg_nctaid_z(), 1)

__simtgdb_place size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
__simtgdb_place size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
__simtgdb_place size_t get_global_offset(uint d) { return 0; }
__simtgdb_place uint get_work_dim(void) {
  return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
}

__simtgdb_sync void barrier(cl_mem_fence_flags flags) { __nvvm_bar_sync(0); }
__attribute__((overloadable, always_inline, nodebug)) void mem_fence(cl_mem_fence_flags flags) { __nvvm_membar_cta(); }
__attribute__((overloadable, always_inline, nodebug)) void read_mem_fence(cl_mem_fence_flags flags) { __nvvm_membar_cta(); }
__attribute__((overloadable, always_inline, nodebug)) void write_mem_fence(cl_mem_fence_flags flags) { __nvvm_membar_cta(); }

// libclc has these as intrinsics that LLVM has no instructions of PTX for.
#define native_exp half_exp
#define native_log half_log
#define native_log2 half_log2
#define native_log10 half_log10
#define native_powr half_powr
