# Entries of .debug_frame with headers of every version, written by hand.
	.section .debug_frame,"",@progbits
.Lcie1:	.long .Lcie1e - . - 4            # DWARF 2
	.long 0xffffffff
	.byte 1
	.asciz ""
	.uleb128 1
	.sleb128 -4
	.byte 16
	.byte 0x0c, 7, 8
.Lcie1e:
	.long .Lf1e - . - 4
	.long .Lcie1
	.quad 0x1000, 0x20
	.byte 0x41, 0x0e, 16, 0x86, 2, 0x01
	.quad 0x1010
	.byte 0x0e, 8
.Lf1e:
.Lcie3:	.long .Lcie3e - . - 4            # DWARF 3
	.long 0xffffffff
	.byte 3
	.asciz ""
	.uleb128 4
	.sleb128 8
	.uleb128 300
	.byte 0x0c, 7, 8
.Lcie3e:
	.long .Lf3e - . - 4
	.long .Lcie3
	.quad 0x2000, 0x400
	.byte 0x02, 3, 0x03
	.short 20
	.byte 0x04
	.long 40
	.byte 0x05
	.uleb128 200
	.uleb128 3
.Lf3e:
.Lcie64: .long 0xffffffff                # 64-bit DWARF 4, addresses of 8 bytes
	.quad .Lcie64e - . - 8
	.quad 0xffffffffffffffff
	.byte 4
	.asciz ""
	.byte 8, 0
	.uleb128 1
	.sleb128 -8
	.uleb128 16
	.byte 0x0c, 7, 8
.Lcie64e:
	.long 0xffffffff
	.quad .Lf64e - . - 8
	.quad .Lcie64
	.quad 0x3000, 0x10
	.byte 0x44, 0x0e, 16
.Lf64e:
