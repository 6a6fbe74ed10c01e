; Kernels that use registers too early, each beside one that looks like it and does not. s[0:1] point at two buffers,
; in and out, of 512 dwords; v0 is the work-item. Reports are marked as in defects.cl.
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

	kernel vector_wait
	begin
	global_load_dword v2, v1, s[8:9]        ; vector_wait other
	v_add_u32_e32 v2, 1, v2                 ; vector_wait
	global_store_dword v1, v2, s[10:11]
	ending vector_wait

	kernel vector_ok
	begin
	global_load_dword v2, v1, s[8:9]
	v_add_u32_e32 v3, 1, v0
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v2, v3, v2
	global_store_dword v1, v2, s[10:11]
	ending vector_ok

; Of two loads the first has come.
	kernel order_wait
	begin
	global_load_dword v2, v1, s[8:9]
	global_load_dword v3, v1, s[8:9] offset:4 ; order_wait other
	s_waitcnt vmcnt(1)
	v_add_u32_e32 v2, 1, v2
	global_store_dword v1, v3, s[10:11]     ; order_wait
	ending order_wait

	kernel order_ok
	begin
	global_load_dword v2, v1, s[8:9]
	global_load_dword v3, v1, s[8:9] offset:4
	s_waitcnt vmcnt(1)
	v_add_u32_e32 v2, 1, v2
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v2, v3, v2
	global_store_dword v1, v2, s[10:11]
	ending order_ok

; The wrong counter is waited for.
	kernel lds_wait
	begin
	ds_write_b32 v1, v0
	ds_read_b32 v2, v1                      ; lds_wait other
	s_waitcnt vmcnt(0)
	global_store_dword v1, v2, s[10:11]     ; lds_wait
	ending lds_wait

	kernel lds_ok
	begin
	ds_write_b32 v1, v0
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	global_store_dword v1, v2, s[10:11]
	ending lds_ok

	kernel scalar_wait
	begin
	s_load_dword s12, s[8:9], 0x0           ; scalar_wait other
	s_add_u32 s13, s12, 1                   ; scalar_wait
	v_mov_b32_e32 v2, s13
	global_store_dword v1, v2, s[10:11]
	ending scalar_wait

	kernel scalar_ok
	begin
	s_load_dword s12, s[8:9], 0x0
	s_add_u32 s13, s8, 1
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s12
	global_store_dword v1, v2, s[10:11]
	ending scalar_ok

; What a load brings overwrites what is written before it comes.
	kernel overwrite_wait
	begin
	global_load_dword v2, v1, s[8:9]        ; overwrite_wait other
	v_mov_b32_e32 v2, 7                     ; overwrite_wait
	s_waitcnt vmcnt(0)
	global_store_dword v1, v2, s[10:11]
	ending overwrite_wait

; Two loads come in order, and a store has read its registers when it is issued.
	kernel overwrite_ok
	begin
	global_load_dword v2, v1, s[8:9] offset:4
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	global_store_dword v1, v2, s[10:11]
	v_mov_b32_e32 v2, 7
	ending overwrite_ok

; Scalar memory comes in no order, so that a count other than 0 says nothing of the data share either.
	kernel mixed_wait
	begin
	ds_write_b32 v1, v0
	ds_read_b32 v2, v1                      ; mixed_wait other
	s_load_dword s12, s[8:9], 0x0
	s_waitcnt lgkmcnt(1)
	global_store_dword v1, v2, s[10:11]     ; mixed_wait
	ending mixed_wait

	kernel mixed_ok
	begin
	s_load_dword s12, s[8:9], 0x0
	s_waitcnt lgkmcnt(0)
	ds_write_b32 v1, v0
	ds_read_b32 v2, v1
	ds_read_b32 v3, v1
	s_waitcnt lgkmcnt(1)
	global_store_dword v1, v2, s[10:11]
	ending mixed_ok

; A flat load counts twice.
	kernel flat_wait
	begin
	v_mov_b32_e32 v3, s9
	v_add_co_u32_e32 v2, vcc, s8, v1
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	flat_load_dword v4, v[2:3]              ; flat_wait other
	s_waitcnt vmcnt(0)
	global_store_dword v1, v4, s[10:11]     ; flat_wait
	ending flat_wait

	kernel flat_ok
	begin
	v_mov_b32_e32 v3, s9
	v_add_co_u32_e32 v2, vcc, s8, v1
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	flat_load_dword v4, v[2:3]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	global_store_dword v1, v4, s[10:11]
	ending flat_ok

; A register that nothing has written is an address, after two moves.
	kernel address_uninit
	begin
	v_mov_b32_e32 v5, v4
	v_mov_b32_e32 v6, v5
	ds_write_b32 v6, v0                     ; address_uninit
	ending address_uninit

; It decides which work-items go on.
	kernel branch_uninit
	begin
	v_cmp_lt_u32_e32 vcc, v4, v0
	s_and_saveexec_b64 s[12:13], vcc        ; branch_uninit
	global_store_dword v1, v0, s[10:11]
	ending branch_uninit

; It is written where others see it, after arithmetic.
	kernel store_uninit
	begin
	v_add_u32_e32 v5, v4, v0
	global_store_dword v1, v5, s[10:11]     ; store_uninit
	ending store_uninit

; In the upper half of the wave it is written by nobody.
	kernel part_uninit
	begin
	s_mov_b64 s[14:15], exec
	v_cmp_gt_u32_e32 vcc, 32, v0
	s_and_b64 exec, exec, vcc
	v_mov_b32_e32 v4, 7
	s_mov_b64 exec, s[14:15]
	global_store_dword v1, v4, s[10:11]     ; part_uninit
	ending part_uninit

; The same, but only those store that have it.
	kernel part_ok
	begin
	s_mov_b64 s[14:15], exec
	v_cmp_gt_u32_e32 vcc, 32, v0
	s_and_b64 exec, exec, vcc
	v_mov_b32_e32 v4, 7
	global_store_dword v1, v4, s[10:11]
	s_mov_b64 exec, s[14:15]
	ending part_ok

; It is moved, spilled and filled again, compared where another condition decides, and never used.
	kernel moved_ok
	begin
	v_mov_b32_e32 v5, v4
	scratch_store_dword off, v5, s16
	scratch_load_dword v6, off, s16
	s_waitcnt vmcnt(0)
	v_cmp_lt_u32_e64 s[12:13], v6, v0
	v_cmp_gt_u32_e32 vcc, 0, v0
	s_and_b64 s[12:13], s[12:13], vcc
	s_and_saveexec_b64 s[14:15], s[12:13]
	global_store_dword v1, v6, s[10:11]
	s_mov_b64 exec, s[14:15]
	v_mov_b32_e32 v6, 1
	global_store_dword v1, v6, s[10:11]
	ending moved_ok

; The spilled one is used after all.
	kernel spilled_uninit
	begin
	scratch_store_dword off, v4, s16
	scratch_load_dword v6, off, s16         ; spilled_uninit other
	s_waitcnt vmcnt(0)
	v_lshlrev_b32_e32 v6, 2, v6
	global_load_dword v7, v6, s[8:9]        ; spilled_uninit
	ending spilled_uninit

; An offset from one buffer leads to the other.
	kernel other_bounds
	begin
	v_add_u32_e32 v2, 0x20000, v1
	global_store_dword v2, v0, s[8:9]       ; other_bounds
	ending other_bounds

	kernel offset_ok
	begin
	v_add_u32_e32 v2, 0x100, v1
	global_store_dword v2, v0, s[10:11]
	ending offset_ok

; An address is read too soon after a vector instruction has written it, and one is not.
	kernel address_undefined
	begin
	v_mov_b32_e32 v2, s10
	v_readfirstlane_b32 s10, v2             ; address_undefined other
	s_nop 3
	global_store_dword v1, v0, s[10:11]     ; address_undefined
	ending address_undefined

	kernel address_ok
	begin
	v_mov_b32_e32 v2, s10
	v_readfirstlane_b32 s10, v2
	s_mov_b32 s12, s10
	s_nop 3
	global_store_dword v1, v0, s[10:11]
	ending address_ok

; The same on two ways to one place, of which one is longer.
	kernel ways_undefined
	begin
	v_mov_b32_e32 v2, s10
	v_readfirstlane_b32 s10, v2             ; ways_undefined other
	s_cmp_eq_u32 s9, 0
	s_cbranch_scc0 1f
	s_nop 4
1:
	global_store_dword v1, v0, s[10:11]     ; ways_undefined
	ending ways_undefined

	kernel ways_ok
	begin
	v_mov_b32_e32 v2, s10
	v_readfirstlane_b32 s10, v2
	s_cmp_eq_u32 s9, 0
	s_cbranch_scc1 1f
	s_nop 4
1:
	global_store_dword v1, v0, s[10:11]
	ending ways_ok

; A product of matrices is stored before it is there.
	kernel product_undefined
	begin
	v_mov_b32_e32 v2, 1.0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	s_nop 1
	v_mfma_f32_4x4x1f32 v[4:7], v2, v2, v[4:7] ; product_undefined other
	s_nop 3
	global_store_dword v1, v5, s[10:11]     ; product_undefined
	ending product_undefined

	kernel product_ok
	begin
	v_mov_b32_e32 v2, 1.0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	s_nop 1
	v_mfma_f32_4x4x1f32 v[4:7], v2, v2, v[4:7]
	s_nop 4
	global_store_dword v1, v5, s[10:11]
	ending product_ok
