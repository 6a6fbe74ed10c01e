// Call frame rules of every kind for AMDGPU, in the forms that compilers with
// the heterogeneous extensions write.
	.text
	.cfi_sections .debug_frame

	.globl kernel
kernel:                                 // the outermost frame
	.cfi_startproc
	.cfi_escape 0x0f,0x04,0x30,0x36,0xe9,0x02   // lit0; lit6; form_aspace_address
	.cfi_undefined 16
	s_nop 0
	s_endpgm
	.cfi_endproc

	.globl func
func:                                   // scaled scratch offsets
	.cfi_startproc
	.cfi_llvm_def_aspace_cfa 64, 0, 6
	// PC_64 in s30, s31
	.cfi_escape 0x10,16,8, 0x90,0x3e,0x93,4, 0x90,0x3f,0x93,4
	s_nop 0
	.cfi_register 65, 40                // FP in s8
	// EXEC in s4, s5
	.cfi_escape 0x10,17,8, 0x90,0x24,0x93,4, 0x90,0x25,0x93,4
	s_nop 0
	// VGPR40 spilled to CFA+256 under the EXEC at entry
	.cfi_escape 0x10,0xa8,0x14,17, 0x90,0xa8,0x14, 0x16, 0xe9,5,0x80,2, 0xe9,7,17, 0x94,8, 0xe9,0x0c,32,64
	s_nop 0
	// s45 in lane 11 of v41
	.cfi_escape 0x10,77,6, 0x90,0xa9,0x14,0xe9,5,44
	// s46 in lane 12 of v41, as a part
	.cfi_escape 0x10,78,10, 0x90,0xa9,0x14,0x9d,32,0x80,3, 0x96,0x96,0x96
	.cfi_def_cfa_register 65
	.cfi_remember_state
	s_nop 0
	.cfi_def_cfa_offset 32
	.cfi_adjust_cfa_offset 8
	.cfi_escape 0x31,0x40,0x7f,0x06     // def_aspace_cfa_sf
	.cfi_restore 65
	.cfi_same_value 66
	.cfi_undefined 2561
	.cfi_register 2562, 3074            // a VGPR in an AGPR
	s_nop 0
	.cfi_restore_state
	.cfi_def_cfa 64, 16
	s_nop 0
	s_setpc_b64 s[30:31]
	.cfi_endproc

	.globl flat
flat:                                   // architected flat scratch
	.cfi_startproc
	// regx s32; deref_size 4; lit6; shl; lit6; form_aspace_address
	.cfi_escape 0x0f,0x09,0x90,0x40,0x94,0x04,0x36,0x24,0x36,0xe9,0x02
	.space 1200
	.cfi_val_offset 64, 0
	.space 300
	.cfi_escape 0x15, 66, 0x7e, 0x14, 66, 3, 0x11, 66, 0x7e
	.cfi_escape 0x16, 67, 3, 0x70, 0, 0x96
	.cfi_offset 68, 8
	.cfi_offset 3, 8
	.cfi_restore 3
	.space 70000
	.cfi_llvm_def_aspace_cfa 64, 8, 5
	s_endpgm
	.cfi_endproc

	.globl empty
empty:                                  // as clang 22 writes it
	.cfi_startproc
	s_endpgm
	.cfi_endproc
