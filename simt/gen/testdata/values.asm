count: (W) mov (1|M0) r5.0<1>:d 0:w
copy: mov (16|M0) r10.0<1>:d r4.0<8;8,1>:d
next: add (16|M0) r12.0<1>:d r10.0<8;8,1>:d 1:w
keep: mov (16|M0) r20.0<1>:d r12.0<8;8,1>:d
reuse: mov (16|M0) r10.0<1>:f r6.0<8;8,1>:f
square: mul (16|M0) r14.0<1>:f r10.0<8;8,1>:f r10.0<8;8,1>:f
if: (f0.0) if (16|M0) 48 64
then: mov (16|M0) r16.0<1>:d r14.0<8;8,1>:d
else: else (16|M0) 32 32
other: mov (16|M0) r16.0<1>:d r20.0<8;8,1>:d
endif: endif (16|M0) 16
some: (f0.0) mov (16|M0) r18.0<1>:d r16.0<8;8,1>:d
part: (W) mov (1|M0) r8.3<1>:d 7:w
more: (W) add (1|M0) r5.0<1>:d r8.3<0;1,0>:d r5.0<0;1,0>:d
while: (f0.0) while (16|M0) 16
call: call (16|M0) r59.0:ud 16
after: mov (16|M0) r30.0<1>:d r18.0<8;8,1>:d
half: mov (8|M0) r32.0<1>:d r62.0<8;8,1>:d
named: mov (16|M0) r34.0<1>:d r[a0.0,0]<8;8,1>:d
end: (W) send (8|M0) null r127 0x27 0x02000010 {EOT}
