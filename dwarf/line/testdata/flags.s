	.text
	.file 1 "a.c"
	.file 2 "b.h"
f:
	.loc 1 10 3 prologue_end
	nop
	.loc 1 11 4 basic_block is_stmt 0
	nop
	.loc 2 300 0 epilogue_begin discriminator 7 isa 5
	nop
	.loc 1 12 1 view v1
	.loc 1 12 2
	nop
	.zero 70000
	.loc 1 5 9 is_stmt 1
	nop
