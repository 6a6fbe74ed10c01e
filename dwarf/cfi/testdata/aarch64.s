// Signed return addresses.
	.text
f:	.cfi_startproc
	.cfi_b_key_frame
	hint #27
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset w30, -8
	.cfi_offset w29, -16
	.cfi_offset b8, -24
	nop
	.cfi_negate_ra_state
	nop
	.cfi_restore w30
	.cfi_window_save
	.cfi_endproc
