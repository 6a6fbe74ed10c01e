# Every instruction that x86-64 assemblers write.
	.cfi_sections .eh_frame, .debug_frame
	.text
f:	.cfi_startproc
	.cfi_personality 0x1b, foo
	.cfi_lsda 0x1b, bar
	.cfi_signal_frame
	nop
	.cfi_return_column 15
	.cfi_escape 0x2e,0x10
	.cfi_val_offset 3, 16
	.cfi_register rbx, r12
	nop
	.cfi_same_value rbp
	.cfi_undefined r13
	.cfi_escape 0x16,3,2,0x77,8
	.cfi_escape 0x10,6,2,0x77,8
	.cfi_escape 0x13,0x7e
	.cfi_escape 0x12,6,0x7e
	.cfi_def_cfa_register rbp
	.cfi_remember_state
	nop
	.cfi_restore rbx
	.cfi_offset xmm0,-64
	nop
	.cfi_restore_state
	.cfi_offset 120,-64
	.cfi_restore 120
	.space 0x123
	.cfi_rel_offset 8, 24
	.space 0x12345
	.cfi_def_cfa 7, 8
	nop
	.cfi_endproc
g:	.cfi_startproc simple
	.cfi_def_cfa rsp, 16
	push %rbp
	.cfi_def_cfa_offset 24
	.cfi_offset rbp, -24
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	pop %rbp
	.cfi_def_cfa rsp, 16
	.cfi_restore rbp
	ret
	.cfi_endproc
	.section .foo,"a"
foo:
bar:	.quad 0
