; Kernels that end by a signal. s[4:5] point at two buffers, in and out, of 64 floats; v0 is the work-item.
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
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_exception_fp_ieee_div_zero 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.text
	.endm

; out[i] = 1 / in[i], where the descriptor enables the exception of a division by zero.
	kernel reciprocal
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	v_rcp_f32_e32 v3, v2                    ; the first work-item's is 1 / 0
	global_store_dword v1, v3, s[10:11]
	s_endpgm
	.size reciprocal, .-reciprocal

; llvm.trap, for those with in[i] > 60.
	kernel abort
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	v_cmp_lt_f32_e32 vcc, 0x42700000, v2
	s_and_saveexec_b64 s[12:13], vcc
	s_cbranch_execz .Lgood
	s_trap 2
.Lgood:
	s_mov_b64 exec, s[12:13]
	global_store_dword v1, v2, s[10:11]
	s_endpgm
	.size abort, .-abort
