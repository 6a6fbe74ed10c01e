// Kernels that unwind by call frame information alone.
//
//   frames: frames -> f -> g -> h -> ... -> h -> hop => leaf
//   mixed:  mixed -> f -> plain -> g -> ..., plain without such information
//
// h calls itself as often as the kernel's second argument says; hop ends in a
// tail call. Every function keeps values of its own in the same registers, s34
// and v41, which callees preserve, and each saves its caller's in another way:
//
//   f     v40 whole, v41 and v42 under EXEC, in memory; SGPRs in lanes of v40;
//         it calls with half of its lanes switched off
//   g     as f, but s34 and s35 each in one dword of memory
//   h     as f; its FP in a lane of v40
//   leaf  no frame pointer; v41 in an accumulation register, SGPRs in lanes of
//         v2, whose lanes that are inactive belong to somebody else
//
// The rules are the forms that compilers with the heterogeneous extensions
// write. build.sh assembles this file for each target; FLAT is 1 where the
// hardware itself knows where a wave's private memory is, so that stack
// pointers are a lane's addresses, and 0 where they count the bytes of all
// lanes; EH puts the rules into .eh_frame.

	.text
.if EH
	.cfi_sections .eh_frame
.else
	.cfi_sections .debug_frame
.endif
	.file 1 "frames.s"

.if FLAT
	.set UNIT, 1
.else
	.set UNIT, 64
.endif

// Private memory at an offset from a stack or frame pointer.
.macro store value, base, offset
.if FLAT
	scratch_store_dword off, \value, \base offset:\offset
.else
	buffer_store_dword \value, off, s[0:3], \base offset:\offset
.endif
.endm
.macro load value, base, offset
.if FLAT
	scratch_load_dword \value, off, \base offset:\offset
.else
	buffer_load_dword \value, off, s[0:3], \base offset:\offset
.endif
.endm

// Numbers of registers in operands: SGPRn is 32+n, VGPRn 2560+n as two bytes,
// AGPRn 3072+n, EXEC 17, PC 16.
	.set SGPR, 32
	.set V0, 0x80 // the low byte of VGPR0 and AGPR0
	.set V1, 0x14 // the high one of a VGPR
	.set A1, 0x18 // the high one of an AGPR
	.set EXEC, 17
	.set PC, 16

// The CFA is where the stack pointer was on entry, in the wave's memory. That is
// the stack pointer's value itself where it counts the bytes of all lanes.
.macro cfa_sp
.if FLAT // regx s32; deref_size 4; lit6; shl; lit6; form_aspace_address
	.cfi_escape 0x0f,9, 0x90,SGPR+32, 0x94,4, 0x36,0x24, 0x36,0xe9,2
	.cfi_restore 32+32
.else
	.cfi_llvm_def_aspace_cfa 32+32, 0, 6
	.cfi_val_offset 32+32, 0
.endif
.endm
.macro cfa_fp
.if FLAT
	.cfi_escape 0x0f,9, 0x90,SGPR+33, 0x94,4, 0x36,0x24, 0x36,0xe9,2
	.cfi_register 32+32, 32+33
.else
	.cfi_def_cfa_register 32+33
.endif
.endm
// A 64-bit register in two SGPRs.
.macro in_pair reg, first // regx s; piece 4; regx s+1; piece 4
	.cfi_escape 0x10,\reg,8, 0x90,SGPR+\first,0x93,4, 0x90,SGPR+\first+1,0x93,4
.endm
// The same in two lanes of a VGPR.
.macro pair_in_lanes reg, vgpr, lane // regx v; bit_piece 32, 32*lane; regx v; bit_piece 32, 32*lane+32
	.cfi_escape 0x10,\reg,12, 0x90,V0+\vgpr,V1,0x9d,32,32*\lane, 0x90,V0+\vgpr,V1,0x9d,32,32*\lane+32
.endm
// An SGPR in a lane of a VGPR.
.macro in_lane sgpr, vgpr, lane // regx v; offset_uconst 4*lane
	.cfi_escape 0x10,SGPR+\sgpr,6, 0x90,V0+\vgpr,V1, 0xe9,5,4*\lane
.endm
// A VGPR whole in memory, at a lane's offset from the CFA.
.macro whole_at vgpr, offset
	.cfi_offset 2560+\vgpr, 64*\offset
.endm
// The lanes of a VGPR that were active on entry in memory, the others in place.
.macro active_at vgpr, offset // regx v; swap; offset_uconst; call_frame_entry_reg EXEC; deref_size 8; select_bit_piece 32, 64
	.cfi_escape 0x10,V0+\vgpr,V1,17, 0x90,V0+\vgpr,V1, 0x16, 0xe9,5,0x80|(64*\offset&127),64*\offset>>7, 0xe9,7,EXEC, 0x94,8, 0xe9,0x0c,32,64
.endm
// The lanes that were inactive in memory, the others lost.
.macro inactive_at vgpr, offset // offset_uconst; undefined; call_frame_entry_reg EXEC; deref_size 8; select_bit_piece 32, 64
	.cfi_escape 0x10,V0+\vgpr,V1,15, 0xe9,5,0x80|(64*\offset&127),64*\offset>>7, 0xe9,8, 0xe9,7,EXEC, 0x94,8, 0xe9,0x0c,32,64
.endm
// The lanes that were active in an AGPR, the others in place.
.macro active_in vgpr, agpr // regx v; regx a; call_frame_entry_reg EXEC; deref_size 8; select_bit_piece 32, 64
	.cfi_escape 0x10,V0+\vgpr,V1,15, 0x90,V0+\vgpr,V1, 0x90,V0+\agpr,A1, 0xe9,7,EXEC, 0x94,8, 0xe9,0x0c,32,64
.endm

// What holds where a function begins: the CFA, the return address, and which
// registers the caller cannot count on.
.macro function_begins
	.cfi_startproc
	cfa_sp
	in_pair PC, 30
.irp n, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.cfi_undefined 32+\n
.endr
.irp n, 0, 1, 2, 3
	.cfi_undefined 2560+\n
.endr
	.cfi_undefined 3072 // a0
	.cfi_undefined 768  // VCC
.endm

.macro address_of name, lo, hi
	s_getpc_b64 s[\lo:\hi]
	s_add_u32 s\lo, s\lo, \name@rel32@lo+4
	s_addc_u32 s\hi, s\hi, \name@rel32@hi+12
.endm

// What a kernel does before its first call: the stack, its arguments (out in
// s[36:37], depth in s38), and values of its own in registers that stay.
.macro kernel_begins
	.cfi_startproc
	.cfi_escape 0x0f,4, 0x30,0x36,0xe9,2 // lit0; lit6; form_aspace_address
	.cfi_undefined 16
.endm
.macro kernel_start
.if FLAT
	s_load_dwordx2 s[36:37], s[0:1], 0x0
	s_load_dword s38, s[0:1], 0x8
	s_mov_b32 s39, s2
.else
	s_add_u32 s0, s0, s7
	s_addc_u32 s1, s1, 0
	s_load_dwordx2 s[36:37], s[4:5], 0x0
	s_load_dword s38, s[4:5], 0x8
	s_mov_b32 s39, s6
.endif
	s_mov_b32 s32, 16*UNIT
	s_mov_b32 s33, 0
	v_and_b32_e32 v0, 0x3ff, v0
	s_lshl_b32 s39, s39, 6
	v_add_u32_e32 v43, s39, v0
	s_waitcnt lgkmcnt(0)
.endm
.macro kernel_values n
	s_movk_i32 s34, 0x340+\n
	s_movk_i32 s35, 0x350+\n
	v_add_u32_e32 v40, 0x400000+\n, v43
	v_add_u32_e32 v41, 0x410000+\n, v43
	v_add_u32_e32 v42, 0x420000+\n, v43
	store v41, s33, 12
	s_mov_b32 s4, s38
	v_mov_b32_e32 v0, v43
.endm
// The result: what the callees made of v0, and the kernel's own registers.
.macro kernel_end
	v_add_u32_e32 v0, v0, v41
	v_add_u32_e32 v0, v0, v42
	v_add_u32_e32 v0, s34, v0
	v_add_u32_e32 v0, s35, v0
	v_lshlrev_b32_e32 v1, 2, v43
	global_store_dword v1, v0, s[36:37]
	s_endpgm
.endm

	.globl frames
	.protected frames
	.p2align 8
	.type frames,@function
frames:
	kernel_begins
	kernel_start
	kernel_values 0 // prologue ends
	address_of g, 6, 7
	address_of f, 8, 9
	s_swappc_b64 s[30:31], s[8:9]
	kernel_end
	.cfi_endproc
.Lframes_end:
	.size frames, .-frames

	.globl mixed
	.protected mixed
	.p2align 8
	.type mixed,@function
mixed:
	kernel_begins
	kernel_start
	kernel_values 1 // prologue ends
	address_of plain, 6, 7
	address_of f, 8, 9
	s_swappc_b64 s[30:31], s[8:9]
	kernel_end
	.cfi_endproc
.Lmixed_end:
	.size mixed, .-mixed

// f(v0 value, s4 depth, s[6:7] function): calls function for the odd lanes.
	.globl f
	.protected f
	.p2align 2
	.type f,@function
f:
	function_begins
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_mov_b32 s5, s33
	.cfi_register 32+33, 32+5
	s_mov_b32 s33, s32
	cfa_fp
	s_or_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	store v40, s33, 0
	whole_at 40, 0
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	store v41, s33, 4
	active_at 41, 4
	store v42, s33, 8
	active_at 42, 8
	s_addk_i32 s32, 16*UNIT
	v_writelane_b32 v40, s5, 0
	in_lane 33, 40, 0
	v_writelane_b32 v40, s30, 1
	v_writelane_b32 v40, s31, 2
	pair_in_lanes PC, 40, 1
	v_writelane_b32 v40, s34, 3
	in_lane 34, 40, 3
	v_writelane_b32 v40, s35, 4
	in_lane 35, 40, 4
	v_writelane_b32 v40, s36, 5
	in_lane 36, 40, 5
	v_writelane_b32 v40, s37, 31
	in_lane 37, 40, 31
	s_movk_i32 s34, 0xf34 // prologue ends
	s_movk_i32 s35, 0xf35
	v_add_u32_e32 v41, 0xf410000, v0
	v_add_u32_e32 v42, 0xf420000, v0
	store v41, s33, 12
	v_and_b32_e32 v1, 1, v0
	v_cmp_eq_u32_e32 vcc, 1, v1
	s_and_saveexec_b64 s[36:37], vcc
	in_pair EXEC, 36
	s_swappc_b64 s[30:31], s[6:7]
	s_mov_b64 exec, s[36:37]
	.cfi_restore 17
	v_add_u32_e32 v0, v0, v41
	v_sub_u32_e32 v0, v0, v42
	v_add_u32_e32 v0, s34, v0
	v_readlane_b32 s37, v40, 31
	.cfi_restore 32+37
	v_readlane_b32 s36, v40, 5
	.cfi_restore 32+36
	v_readlane_b32 s35, v40, 4
	.cfi_restore 32+35
	v_readlane_b32 s34, v40, 3
	.cfi_restore 32+34
	v_readlane_b32 s31, v40, 2
	v_readlane_b32 s30, v40, 1
	in_pair PC, 30
	load v42, s33, 8
	load v41, s33, 4
	s_waitcnt vmcnt(0)
	.cfi_restore 2560+42
	.cfi_restore 2560+41
	s_mov_b32 s32, s33
	v_readlane_b32 s5, v40, 0
	.cfi_register 32+33, 32+5
	s_or_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	load v40, s33, 0
	s_waitcnt vmcnt(0)
	.cfi_restore 2560+40
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	s_mov_b32 s33, s5
	cfa_sp
	.cfi_restore 32+33
	s_setpc_b64 s[30:31]
	.cfi_endproc
.Lf_end:
	.size f, .-f

// plain(v0 value, s4 depth): calls g. It says nothing of how to unwind it, and
// it keeps what it saves where nobody would guess.
	.globl plain
	.protected plain
	.p2align 2
	.type plain,@function
plain:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_or_saveexec_b64 s[10:11], -1
	store v40, s32, 0
	s_mov_b64 exec, s[10:11]
	store v41, s32, 4
	v_writelane_b32 v40, s30, 17
	v_writelane_b32 v40, s31, 40
	v_writelane_b32 v40, s34, 63
	s_addk_i32 s32, 16*UNIT
	s_movk_i32 s34, 0x734
	v_add_u32_e32 v41, 0x7410000, v0
	address_of g, 8, 9
	s_swappc_b64 s[30:31], s[8:9]
	v_add_u32_e32 v0, v0, v41
	v_add_u32_e32 v0, s34, v0
	s_addk_i32 s32, -16*UNIT
	v_readlane_b32 s34, v40, 63
	v_readlane_b32 s31, v40, 40
	v_readlane_b32 s30, v40, 17
	load v41, s32, 4
	s_or_saveexec_b64 s[10:11], -1
	load v40, s32, 0
	s_mov_b64 exec, s[10:11]
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lplain_end:
	.size plain, .-plain

// g(v0 value, s4 depth): calls h.
	.globl g
	.protected g
	.p2align 2
	.type g,@function
g:
	function_begins
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_mov_b32 s5, s33
	.cfi_register 32+33, 32+5
	s_mov_b32 s33, s32
	cfa_fp
	s_addk_i32 s32, 32*UNIT
	s_or_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	store v40, s33, 16
	whole_at 40, 16
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	store v41, s33, 4
	active_at 41, 4
	v_writelane_b32 v40, s5, 2
	in_lane 33, 40, 2
	v_writelane_b32 v40, s30, 0
	v_writelane_b32 v40, s31, 1
	pair_in_lanes PC, 40, 0
	s_mov_b64 s[10:11], exec
	in_pair EXEC, 10
	s_mov_b64 exec, 1
	store v1, s33, 20 // lane 0 may be somebody else's
	v_mov_b32_e32 v1, s34
	store v1, s33, 0
	.cfi_offset 32+34, 0
	v_mov_b32_e32 v1, s35
	store v1, s33, 8
	.cfi_offset 32+35, 8*64
	load v1, s33, 20
	s_waitcnt vmcnt(0)
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	s_mov_b32 s34, s4 // prologue ends
	s_movk_i32 s35, 0x635
	v_add_u32_e32 v41, 0x6410000, v0
	store v41, s33, 12
	address_of h, 8, 9
	s_swappc_b64 s[30:31], s[8:9]
	v_add_u32_e32 v0, v0, v41
	v_add_u32_e32 v0, s34, v0
	v_add_u32_e32 v0, s35, v0
	load v1, s33, 8
	s_waitcnt vmcnt(0)
	v_readlane_b32 s31, v40, 1
	v_readlane_b32 s30, v40, 0
	in_pair PC, 30
	s_mov_b64 s[10:11], exec
	in_pair EXEC, 10
	s_mov_b64 exec, 1
	store v1, s33, 20
	load v1, s33, 8
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s35, v1
	.cfi_restore 32+35
	load v1, s33, 0
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s34, v1
	.cfi_restore 32+34
	load v1, s33, 20
	s_waitcnt vmcnt(0)
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	load v41, s33, 4
	s_waitcnt vmcnt(0)
	.cfi_restore 2560+41
	v_readlane_b32 s5, v40, 2
	.cfi_register 32+33, 32+5
	s_or_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	load v40, s33, 16
	s_waitcnt vmcnt(0)
	.cfi_restore 2560+40
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	s_mov_b32 s32, s33
	s_mov_b32 s33, s5
	cfa_sp
	.cfi_restore 32+33
	s_setpc_b64 s[30:31]
	.cfi_endproc
.Lg_end:
	.size g, .-g

// h(v0 value, s4 depth): calls h with depth-1, or hop at depth 0.
	.globl h
	.protected h
	.p2align 2
	.type h,@function
h:
	function_begins
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_xor_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	store v40, s32, 0
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	store v40, s32, 0
	whole_at 40, 0
	v_writelane_b32 v40, s33, 2
	in_lane 33, 40, 2
	s_mov_b32 s33, s32
	cfa_fp
	s_addk_i32 s32, 16*UNIT
	store v41, s33, 4
	active_at 41, 4
	v_writelane_b32 v40, s30, 0
	v_writelane_b32 v40, s31, 1
	pair_in_lanes PC, 40, 0
	v_writelane_b32 v40, s34, 3
	in_lane 34, 40, 3
	s_mov_b32 s34, s4 // prologue ends
	v_lshlrev_b32_e32 v1, 8, v0
	v_add_u32_e32 v41, s4, v1
	store v41, s33, 12
	v_add_u32_e32 v0, 1, v0
	s_cmp_eq_u32 s4, 0
	s_cbranch_scc1 .Lh_last
	s_add_i32 s4, s4, -1
	address_of h, 8, 9
	s_swappc_b64 s[30:31], s[8:9]
	s_branch .Lh_done
.Lh_last:
	address_of hop, 8, 9
	s_swappc_b64 s[30:31], s[8:9]
.Lh_done:
	v_add_u32_e32 v0, s34, v0
	v_xor_b32_e32 v0, v0, v41
	v_readlane_b32 s34, v40, 3
	.cfi_restore 32+34
	v_readlane_b32 s31, v40, 1
	v_readlane_b32 s30, v40, 0
	in_pair PC, 30
	load v41, s33, 4
	s_waitcnt vmcnt(0)
	.cfi_restore 2560+41
	s_mov_b32 s32, s33
	cfa_sp
	v_readlane_b32 s33, v40, 2
	.cfi_restore 32+33
	s_xor_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	load v40, s32, 0
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	load v40, s32, 0
	s_waitcnt vmcnt(0)
	.cfi_restore 2560+40
	s_setpc_b64 s[30:31]
	.cfi_endproc
.Lh_end:
	.size h, .-h

// hop(v0 value): its caller's next frame is leaf's.
	.globl hop
	.protected hop
	.p2align 2
	.type hop,@function
hop:
	function_begins
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_add_u32_e32 v0, 0x10, v0
	address_of leaf, 8, 9
	s_setpc_b64 s[8:9]
	.cfi_endproc
.Lhop_end:
	.size hop, .-hop

// leaf(v0 value)
	.globl leaf
	.protected leaf
	.p2align 2
	.type leaf,@function
leaf:
	function_begins
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_xor_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	store v2, s32, 0
	inactive_at 2, 0
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	v_writelane_b32 v2, s34, 0
	in_lane 34, 2, 0
	v_writelane_b32 v2, s35, 31
	in_lane 35, 2, 31
	v_accvgpr_write_b32 a0, v41
	active_in 41, 0
	s_movk_i32 s34, 0x134 // prologue ends
	s_movk_i32 s35, 0x135
	v_mul_u32_u24_e32 v41, 3, v0
	v_add_u32_e32 v0, s34, v41
	v_add_u32_e32 v0, s35, v0
	v_accvgpr_read_b32 v41, a0
	.cfi_restore 2560+41
	v_readlane_b32 s35, v2, 31
	.cfi_restore 32+35
	v_readlane_b32 s34, v2, 0
	.cfi_restore 32+34
	s_xor_saveexec_b64 s[10:11], -1
	in_pair EXEC, 10
	load v2, s32, 0
	s_waitcnt vmcnt(0)
	.cfi_undefined 2560+2
	s_mov_b64 exec, s[10:11]
	.cfi_restore 17
	s_setpc_b64 s[30:31]
	.cfi_endproc
.Lleaf_end:
	.size leaf, .-leaf

// Kernel descriptors and metadata.
.macro descriptor name, scratch1, scratch2
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		\scratch1 1
		\scratch2 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_kernarg_size 16
		.amdhsa_private_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 52
		.amdhsa_accum_offset 48
		.amdhsa_next_free_sgpr 48
	.end_amdhsa_kernel
.endm
	.section .rodata,"a",@progbits
	.p2align 6
.irp kernel, frames, mixed
.if FLAT
	descriptor \kernel, .amdhsa_enable_private_segment, .amdhsa_ieee_mode
.else
	descriptor \kernel, .amdhsa_user_sgpr_private_segment_buffer, .amdhsa_system_sgpr_private_segment_wavefront_offset
.endif
.endr

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: frames
    .symbol: frames.kd
    .args:
      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: depth, .offset: 8, .size: 4, .value_kind: by_value }
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 4096
    .wavefront_size: 64
    .sgpr_count: 54
    .vgpr_count: 52
    .agpr_count: 4
    .max_flat_workgroup_size: 1024
  - .name: mixed
    .symbol: mixed.kd
    .args:
      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: depth, .offset: 8, .size: 4, .value_kind: by_value }
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 4096
    .wavefront_size: 64
    .sgpr_count: 54
    .vgpr_count: 52
    .agpr_count: 4
    .max_flat_workgroup_size: 1024
...
	.end_amdgpu_metadata

// What gdb is told: each function's values in s34 (kept) and v41 (mine), and
// what it has put into its frame at 12 (stored).
	.section .debug_abbrev,"",@progbits
.Labbrev:
.macro abbrev code, tag, children, attributes:vararg
	.uleb128 \code
	.uleb128 \tag
	.byte \children
.irp n, \attributes
	.uleb128 \n
.endr
	.byte 0, 0
.endm
	abbrev 1, 0x11, 1, 0x25,0x08, 0x13,0x05, 0x03,0x08, 0x10,0x17, 0x1b,0x08, 0x11,0x01, 0x12,0x06 // compile_unit: producer, language, name, stmt_list, comp_dir, low_pc, high_pc
	abbrev 2, 0x24, 0, 0x03,0x08, 0x3e,0x0b, 0x0b,0x0b // base_type: name, encoding, byte_size
	abbrev 3, 0x2e, 1, 0x03,0x08, 0x3f,0x19, 0x3a,0x0b, 0x3b,0x05, 0x11,0x01, 0x12,0x06, 0x40,0x18 // subprogram: name, external, decl_file, decl_line, low_pc, high_pc, frame_base
	abbrev 4, 0x34, 0, 0x03,0x08, 0x49,0x13, 0x02,0x18 // variable: name, type, location
	abbrev 5, 0x2e, 0, 0x03,0x08, 0x3f,0x19, 0x3a,0x0b, 0x3b,0x05, 0x11,0x01, 0x12,0x06 // subprogram without variables or frame
	.byte 0

	.section .debug_info,"",@progbits
.Linfo:
	.long .Linfo_end-.Linfo_start
.Linfo_start:
	.short 5          // version
	.byte 1, 8        // DW_UT_compile, address size
	.long .Labbrev
	.uleb128 1
	.asciz "hand-written"
	.short 0x8001     // DW_LANG_Mips_Assembler
	.asciz "frames.s"
	.long .Lline
	.asciz "."
	.quad frames
	.long .Lleaf_end-frames
.Lint:
	.uleb128 2
	.asciz "int"
	.byte 5, 4        // signed, 4 bytes
.macro value name, size, expression:vararg
	.uleb128 4
	.asciz "\name"
	.long .Lint-.Linfo
	.uleb128 \size
	.byte \expression
.endm
.macro function name, line
	.uleb128 3
	.asciz "\name"
	.byte 1
	.short \line
	.quad \name
	.long .L\name\()_end-\name
.if FLAT // regx s33; deref_size 4; lit5; form_aspace_address
	.uleb128 7
	.byte 0x90,SGPR+33, 0x94,4, 0x35,0xe9,2
.else // regx s33; deref_size 4; lit6; shr; lit5; form_aspace_address
	.uleb128 9
	.byte 0x90,SGPR+33, 0x94,4, 0x36,0x25, 0x35,0xe9,2
.endif
	value kept, 2, 0x90,SGPR+34 // regx s34
	value mine, 9, 0x90,V0+41,V1, 0xe9,3, 0x34,0x1e, 0xe9,4 // regx v41; push_lane; lit4; mul; offset
	value stored, 2, 0x91,12 // fbreg 12
	.byte 0
.endm
.macro bare name, line
	.uleb128 5
	.asciz "\name"
	.byte 1
	.short \line
	.quad \name
	.long .L\name\()_end-\name
.endm
	function frames, LINE_frames
	function mixed, LINE_mixed
	function f, LINE_f
	bare plain, LINE_plain
	function g, LINE_g
	function h, LINE_h
	bare hop, LINE_hop
	function leaf, LINE_leaf
	.byte 0
.Linfo_end:
	.section .debug_line,"",@progbits
.Lline:
