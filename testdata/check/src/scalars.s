; Kernels that use scalar registers that nothing has written to, each beside one that looks like it and does not. The
; macros, and what registers hold, are those of registers.s.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"

	.macro kernel name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
\name:
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel \name
	.amdhsa_group_segment_fixed_size 1024
	.amdhsa_private_segment_fixed_size 64
	.amdhsa_user_sgpr_private_segment_buffer 1
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_system_sgpr_private_segment_wavefront_offset 1
	.amdhsa_user_sgpr_flat_scratch_init 1
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 32
	.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text
	.endm

	.macro ending name
	s_endpgm
	.size \name, .-\name
	.endm

; s[8:9] = in, s[10:11] = out, v1 = 4 * v0
	.macro begin
	s_load_dwordx4 s[8:11], s[4:5], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_mov_b32 s16, 0
	s_waitcnt lgkmcnt(0)
	.endm


	kernel base_uninit
	begin
	s_load_dword s12, s[20:21], 0x0         ; base_uninit
	s_waitcnt lgkmcnt(0)
	ending base_uninit

; What is moved, spilled to a lane of a vector register and back is not used yet.
	kernel base_ok
	begin
	v_writelane_b32 v5, s20, 3
	v_writelane_b32 v5, s8, 4
	v_writelane_b32 v5, s9, 5
	s_mov_b64 s[22:23], s[20:21]
	v_readlane_b32 s22, v5, 4
	v_readlane_b32 s23, v5, 5
	s_load_dword s12, s[22:23], 0x0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s12
	global_store_dword v1, v2, s[10:11]
	ending base_ok

	kernel lane_uninit
	begin
	v_writelane_b32 v5, s20, 3
	v_readlane_b32 s22, v5, 3
	s_add_u32 s23, s22, 4
	v_mov_b32_e32 v2, s23
	global_store_dword v2, v0, s[10:11]     ; lane_uninit
	ending lane_uninit

	kernel compared_uninit
	begin
	s_mov_b32 s12, s20
	s_cmp_eq_u32 s12, 0                     ; compared_uninit other
	s_cbranch_scc1 1f                       ; compared_uninit
	global_store_dword v1, v0, s[10:11]
1:
	ending compared_uninit

	kernel compared_ok
	begin
	s_cmp_eq_u32 s20, 0
	s_cmp_eq_u32 s8, 0
	s_cbranch_scc1 1f
	global_store_dword v1, v0, s[10:11]
1:
	ending compared_ok

	kernel masked_uninit
	begin
	s_mov_b64 s[12:13], s[20:21]
	s_and_b64 exec, exec, s[12:13]          ; masked_uninit
	global_store_dword v1, v0, s[10:11]
	ending masked_uninit

; No bit of the mask that has no contents is looked at.
	kernel masked_ok
	begin
	s_mov_b64 s[12:13], 0
	s_and_b64 s[12:13], s[20:21], s[12:13]
	s_andn2_b64 exec, exec, s[12:13]
	global_store_dword v1, v0, s[10:11]
	ending masked_ok

	kernel stored_uninit
	begin
	v_mov_b32_e32 v2, s20
	v_add_u32_e32 v2, 1, v2
	global_store_dword v1, v2, s[10:11]     ; stored_uninit
	ending stored_uninit

; Of a pair only the half that has contents is used: compilers extend numbers so.
	kernel half_ok
	begin
	s_load_dword s12, s[8:9], 0x0
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[14:15], s[12:13], 2
	v_mov_b32_e32 v2, s14
	global_store_dword v1, v2, s[10:11]
	ending half_ok

	kernel buffer_uninit
	begin
	v_mov_b32_e32 v2, 0
	v_lshlrev_b32_e32 v3, 2, v9
	buffer_load_dword v4, v3, s[0:3], 0 offen ; buffer_uninit
	s_waitcnt vmcnt(0)
	global_store_dword v1, v2, s[10:11]
	ending buffer_uninit

	kernel offset_uninit
	begin
	buffer_load_dword v4, off, s[0:3], s20  ; offset_uninit
	s_waitcnt vmcnt(0)
	ending offset_uninit
