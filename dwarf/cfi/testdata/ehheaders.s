# Pointer encodings and augmentations of .eh_frame, written by hand.
	.section .eh_frame,"a",@progbits
	.macro cie name, aug, data:vararg
.Lcie\name: .long .Lend\name - . - 4
	.long 0
	.byte 1
	.asciz "\aug"
	.uleb128 1
	.sleb128 -8
	.byte 16
	.byte .Ldata\name - . - 1
	.byte \data
.Ldata\name:
	.byte 0x0c, 7, 8, 0x90, 1
.Lend\name:
	.endm
	cie a, "zR", 0x03                     # udata4
	.long .Lfae - . - 4
	.long . - .Lciea
	.long 0x5000, 0x10
	.byte 0
	.byte 0x41, 0x0e, 16
.Lfae:
	cie b, "zR", 0x1a                     # pcrel sdata2
	.long .Lfbe - . - 4
	.long . - .Lcieb
	.short -8, 0x10
	.byte 0
	.byte 0x41, 0x0e, 16
.Lfbe:
	cie c, "zRS", 0x04                    # udata8, signal frame
	.long .Lfce - . - 4
	.long . - .Lciec
	.quad 0x7000, 0x10
	.byte 0
	.byte 0x41, 0x0e, 16
.Lfce:
	cie d, "zPLR", 0x03, 0x78, 0x56, 0x34, 0x12, 0x0b, 0x0c   # udata4, sdata4, sdata8
	.long .Lfde - . - 4
	.long . - .Lcied
	.quad 0x8000, 0x10
	.byte 4
	.long 0x9000
	.byte 0x41, 0x0e, 16
.Lfde:
	.long 0                               # terminator
