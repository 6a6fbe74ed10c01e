store: sends (8|M0) null:ud r12 r10 0x4C 0x040681FF
store-next: sends (8|M0) null:ud r12 r11 0x4C 0x040681FF
spill: sends (8|M0) null:ud r2 r16 0x8A 0x020E1001
spill-own: sends (16|M0) null:ud r2 r16 0x8A 0x020F1001
fill: send (8|M0) r10 r2 0xA 0x022C1001
spill-oword: sends (8|M0) null:ud r2 r16 0x4A 0x020A02FF
spill-high: sends (8|M0) null:ud r2 r16 0x4A 0x020A01FF
fill-oword: send (8|M0) r10 r2 0xA 0x021802FF
block-store: sends (8|M0) null:ud r12 r16 0x4C 0x020D42FF
block-load: send (8|M0) r10 r12 0xC 0x021D02FF
bytes: mov (8|M0) r16.0<4>:ub 7:uw
second-bytes: mov (8|M0) r10.0<1>:ud r10.1<4;1,0>:ub
first-bytes: mov (8|M0) r10.0<1>:ud r10.0<4;1,0>:ub
index: mov (1|M0) a0.0<1>:uw r18.0<0;1,0>:uw
indices: mov (8|M0) a0.0<1>:uw r18.0<8;8,1>:uw
pick: mov (8|M0) r10.0<1>:d r[a0.0]<8;8,1>:d
pick-each: mov (8|M0) r10.0<1>:d r[a0.0]<1,0>:d
put: mov (8|M0) r[a0.0]<1>:d r20.0<8;8,1>:d
copy: mov (8|M0) r10.0<1>:d r16.0<8;8,1>:d
quotient: math.fdiv (8|M0) r10.0<1>:f r16.0<8;8,1>:f r14.0<8;8,1>:f
floor: rndd (8|M0) r10.0<1>:f r16.0<8;8,1>:f
masked: and (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
atomic: sends (8|M0) r24:ud r12 r16 0x4C 0x0414A7FF
atomic-local: sends (8|M0) r24:ud r14 r16 0x4C 0x0210B7FE
load-local: send (8|M0) r10:d r14 0xC 0x02106EFE
exchange: sends (8|M0) r24:ud r12 r16 0x8C 0x0414AEFF
increment: send (8|M0) r24:ud r12 0xC 0x0414A5FF
store-old: sends (8|M0) null:ud r12 r24 0x4C 0x040681FF
whole-mov: mov (8|M0) r10.0<1>:d r16.0<8;8,1>:d
whole-not: not (8|M0) r10.0<1>:d r16.0<8;8,1>:d
whole-rndd: rndd (8|M0) r10.0<1>:f r16.0<8;8,1>:f
whole-rnde: rnde (8|M0) r10.0<1>:f r16.0<8;8,1>:f
whole-rndu: rndu (8|M0) r10.0<1>:f r16.0<8;8,1>:f
whole-rndz: rndz (8|M0) r10.0<1>:f r16.0<8;8,1>:f
whole-frc: frc (8|M0) r10.0<1>:f r16.0<8;8,1>:f
whole-bfrev: bfrev (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud
whole-fbh: fbh (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud
whole-fbl: fbl (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud
whole-cbit: cbit (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud
whole-lzd: lzd (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud
whole-shl: shl (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
whole-shr: shr (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud r14.0<8;8,1>:ud
whole-asr: asr (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
whole-add: add (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
whole-mul: mul (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
whole-xor: xor (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
whole-avg: avg (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
whole-mach: mach (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d {AccWrEn}
whole-addc: addc (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud r14.0<8;8,1>:ud {AccWrEn}
whole-subb: subb (8|M0) r10.0<1>:ud r16.0<8;8,1>:ud r14.0<8;8,1>:ud {AccWrEn}
whole-math: math.inv (8|M0) r10.0<1>:f r16.0<8;8,1>:f
whole-mad: mad (8|M0) r10.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r14.0<1>:f
whole-lrp: lrp (8|M0) r10.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r14.0<1>:f
whole-bfe: bfe (8|M0) r10.0<1>:d r14.0<8;1>:d r14.0<8;1>:d r16.0<1>:d
whole-and: and (8|M0) r10.0<1>:d r16.0<8;8,1>:d 15:w
whole-sel: sel (8|M0) (lt)f0.0 r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
masked-out: and (8|M0) r10.0<1>:d r16.0<8;8,1>:d 0:w
joined: or (8|M0) r10.0<1>:d r16.0<8;8,1>:d r14.0<8;8,1>:d
