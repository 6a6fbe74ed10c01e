add-d: add (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
sub-d: add (8|M0) r10.0<1>:d r12.0<8;8,1>:d -r14.0<8;8,1>:d
add-abs: add (8|M0) r10.0<1>:d (abs)r12.0<8;8,1>:d r14.0<8;8,1>:d
add-sat: add (8|M0) (sat)r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
add-sat-ud: add (8|M0) (sat)r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
add-imm: add (8|M0) r10.0<1>:d r12.0<8;8,1>:d -7:w
add-v: add (8|M0) r10.0<1>:d r12.0<8;8,1>:d 0x76543218:v
add-uv: add (8|M0) r10.0<1>:d r12.0<8;8,1>:d 0xFEDCBA98:uv
mul-d: mul (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
mach-ud: mach (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud {AccWrEn}
mach-d: mach (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d {AccWrEn}
avg: avg (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
and-not: and (8|M0) r10.0<1>:ud ~r12.0<8;8,1>:ud r14.0<8;8,1>:ud
or: or (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
xor: xor (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
not: not (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud
shl: shl (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
shr: shr (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
asr: asr (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:ud
lzd: lzd (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud
fbh-d: fbh (8|M0) r10.0<1>:ud r12.0<8;8,1>:d
fbh-ud: fbh (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud
fbl: fbl (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud
cbit: cbit (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud
bfrev: bfrev (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud
bfe-ud: bfe (8|M0) r10.0<1>:ud r12.0<4;1>:ud r14.0<4;1>:ud r16.0<1>:ud
bfe-d: bfe (8|M0) r10.0<1>:d r12.0<4;1>:d r14.0<4;1>:d r16.0<1>:d
bfi1: bfi1 (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
bfi2: bfi2 (8|M0) r10.0<1>:ud r12.0<4;1>:ud r14.0<4;1>:ud r16.0<1>:ud
sel-lt: sel (8|M0) (lt)f0.0 r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
sel-ge: sel (8|M0) (ge)f0.0 r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
sel-pred: (f0.0) sel (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
mov-pred: (f0.0) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
mov-notpred: (~f0.0) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
mov-any4h: (f0.0.any4h) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
mov-all2h: (f0.0.all2h) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
mov-any8h: (~f0.0.any8h) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
mov-anyv: (f0.0.anyv) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
mov-allv: (f0.0.allv) mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d
smov: smov (8|M0) r10.0<1>:d r12.0<8;8,1>:d 0x5A:uw
iqot: math.iqot (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
irem: math.irem (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
iqot-ud: math.iqot (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
add-f: add (8|M0) r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
sub-f: add (8|M0) r10.0<1>:f r12.0<8;8,1>:f -r14.0<8;8,1>:f
mul-f: mul (8|M0) r10.0<1>:f r12.0<8;8,1>:f (abs)r14.0<8;8,1>:f
mul-sat: mul (8|M0) (sat)r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
mul-vf: mul (8|M0) r10.0<1>:f r12.0<8;8,1>:f 0x30485020:vf
mad-f: mad (8|M0) r10.0<1>:f r12.0<4;1>:f r14.0<4;1>:f r16.0<1>:f
lrp: lrp (8|M0) r10.0<1>:f r12.0<4;1>:f r14.0<4;1>:f r16.0<1>:f
csel: csel (8|M0) (ge)f0.0 r10.0<1>:f r12.0<4;1>:f r14.0<4;1>:f r16.0<1>:f
frc: frc (8|M0) r10.0<1>:f r12.0<8;8,1>:f
rndd: rndd (8|M0) r10.0<1>:f r12.0<8;8,1>:f
rndu: rndu (8|M0) r10.0<1>:f r12.0<8;8,1>:f
rnde: rnde (8|M0) r10.0<1>:f r12.0<8;8,1>:f
rndz: rndz (8|M0) r10.0<1>:f r12.0<8;8,1>:f
inv: math.inv (8|M0) r10.0<1>:f r12.0<8;8,1>:f
sqt: math.sqt (8|M0) r10.0<1>:f (abs)r12.0<8;8,1>:f
fdiv: math.fdiv (8|M0) r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
sel-lt-f: sel (8|M0) (lt)f0.0 r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
mov-f-d: mov (8|M0) r10.0<1>:f r12.0<8;8,1>:d
mov-f-ud: mov (8|M0) r10.0<1>:f r12.0<8;8,1>:ud
mov-d-f: mov (8|M0) r10.0<1>:d r12.0<8;8,1>:f
mov-ud-f: mov (8|M0) r10.0<1>:ud r12.0<8;8,1>:f
mov-d-b: mov (8|M0) r10.0<1>:d r12.0<8;8,1>:b
mov-d-uw2: mov (8|M0) r10.0<1>:d r12.0<16;8,2>:uw
mov-scalar: mov (8|M0) r10.0<1>:d r12.3<0;1,0>:d
mov-rows: mov (8|M0) r10.0<1>:d r12.1<2;4,1>:d
mov-b-sat: mov (8|M0) (sat)r10.0<4>:b r12.0<8;8,1>:d
cmp-lt: cmp (8|M0) (lt)f0.0 r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
cmp-gt-ud: cmp (8|M0) (gt)f0.0 r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud
cmp-le-f: cmp (8|M0) (le)f0.0 r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
cmp-mixed: cmp (8|M0) (lt)f0.0 r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:ud
mac-d: mac (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
mac-f: mac (8|M0) r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
addc: addc (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud {AccWrEn}
subb: subb (8|M0) r10.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud {AccWrEn}
mov-indirect: mov (8|M0) r10.0<1>:d r[a0.1,32]<8;8,1>:d
mov-vxh: mov (8|M0) r10.0<1>:d r[a0.0]<1,0>:d
mov-to-indirect: mov (8|M0) r[a0.2]<1>:d r12.0<8;8,1>:d
halt: (f0.0) halt (8|M0) 32 48
cont: (f0.0) cont (8|M0) 32 48
mov-10: mov (8|M0) r10.0<1>:d 1:w
mov-11: mov (8|M0) r11.0<1>:d 1:w
mov-13: mov (8|M0) r13.0<1>:d 1:w
endif: endif (8|M0) 16
join: join (8|M0) 16
madm: madm (4|M0) r10.mme1:df r12.nomme:df r14.nomme:df r16.nomme:df
madm-low: madm (4|M0) r20.nomme:df r22.nomme:df r10.mme1:df r24.nomme:df
wait: wait n0.0<0;1,0>:ud
sampler: send (8|M0) r10:f r12 0x2 0x02420001
read: send (8|M0) r10:d r12:uq 0xC 0x041401FF
write: sends (8|M0) null:ud r12 r16 0x4C 0x040681FF
atomic: sends (8|M0) r10:ud r12 r16 0x4C 0x0414A7FF
slm-read: send (8|M0) r10:d r12 0xC 0x02106EFE
slm-write: sends (8|M0) null:ud r12 r16 0x4C 0x02026EFE
scratch-read: send (8|M0) r10 r12 0xA 0x021802FF
scratch-write: sends (8|M0) null:ud r12 r16 0x4A 0x020A02FF
surface: send (8|M0) r10:d r12 0xC 0x02106E03
mov-far: mov (8|M0) r10.0<1>:d r127.4<8;8,1>:d
cmpn-lt: cmpn (8|M0) (lt)f0.0 r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
calla: calla (8|M0) r5.0 32
ret: ret (8|M0) r5.0:ud
block-write: sends (8|M0) null:ud r12 r16 0x4C 0x020D40FF
block-read: send (8|M0) r10 r12 0xC 0x021D00FF
untyped-write: sends (8|M0) null:ud r12 r16 0x4C 0x04066EFF
untyped-read: send (8|M0) r10:d r12:uq 0xC 0x04146EFF
brd: (f0.0) brd (8|M0) 32
brc: (f0.0) brc (8|M0) 32 48
brd-r: (f0.0) brd (8|M0) r5.0
brc-r: (f0.0) brc (8|M0) r5.0
call-r: call (8|M0) r6.0 r5.0
calla-r: calla (8|M0) r6.0 r5.0
ret-6: ret (8|M0) r6.0:ud
jmpi-r: (W) jmpi r5.0
slm-fmax: sends (8|M0) r10:ud r12 r16 0x4C 0x0216F1FE
slm-fmin: sends (8|M0) r10:ud r12 r16 0x4C 0x0216F2FE
slm-fcmpwr: sends (8|M0) r10:ud r12 r16 0x8C 0x0216F3FE
fmax: sends (8|M0) r10:ud r12 r16 0x4C 0x041761FF
fadd: sends (8|M0) r10:ud r12 r16 0x4C 0x041764FF
hword-write: sends (8|M0) null:ud r12 r16 0x8C 0x020D59FF
hword-read: send (8|M0) r10 r12 0xC 0x022D19FF
hword-far: send (8|M0) r10 r12 0xC 0x028D1BFF
spill: sends (8|M0) null:ud r12 r16 0x8A 0x020E1001
fill: send (8|M0) r10 r12 0xA 0x022C1001
fill-last: send (8|M0) r10 r12 0xA 0x022C9001
fill-far: send (8|M0) r10 r12 0xA 0x022C1002
read-a0: send (8|M0) r10:d r12:uq 0xC a0.0
write-a0: sends (8|M0) null:ud r12 r16 a0.2 a0.0
sendc: sendc (8|M0) r10:d r12:uq 0xC 0x041401FF
sendsc: sendsc (8|M0) null:ud r12 r16 0x4C 0x040681FF
typed: send (8|M0) r10 r12 0xC 0x04114003
add-df: add (4|M0) r10.0<1>:df r12.0<4;4,1>:df r14.0<4;4,1>:df
mul-df: mul (4|M0) r10.0<1>:df r12.0<4;4,1>:df r14.0<4;4,1>:df
mad-df: mad (4|M0) r10.0<1>:df r12.0<4;1>:df r14.0<4;1>:df r16.0<1>:df
add-hf: add (8|M0) r10.0<1>:hf r12.0<8;8,1>:hf r14.0<8;8,1>:hf
mul-hf: mul (8|M0) r10.0<1>:hf r12.0<8;8,1>:hf r14.0<8;8,1>:hf
mov-f-df: mov (4|M0) r10.0<2>:f r12.0<4;4,1>:df
mov-hf-f: mov (8|M0) r10.0<2>:hf r12.0<8;8,1>:f
mov-df-q: mov (4|M0) r10.0<1>:df r12.0<4;4,1>:q
mov-f-q: mov (4|M0) r10.0<2>:f r12.0<4;4,1>:q
scatter: sends (8|M0) null:ud r12 r16 0x4C 0x02026EFF
gather: send (8|M0) r10:d r12 0xC 0x02106EFF
sin-f: math.sin (8|M0) r10.0<1>:f r12.0<8;8,1>:f
cos-f: math.cos (8|M0) r10.0<1>:f r12.0<8;8,1>:f
exp-f: math.exp (8|M0) r10.0<1>:f r12.0<8;8,1>:f
log-f: math.log (8|M0) r10.0<1>:f (abs)r12.0<8;8,1>:f
rsqt-f: math.rsqt (8|M0) r10.0<1>:f (abs)r12.0<8;8,1>:f
pow-f: math.pow (8|M0) r10.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f
idiv: math.idiv (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
invm-f: math.invm (8|M0) (eo)f0.0 r10.mme0:f r12.nomme:f r14.nomme:f
rsqtm-f: math.rsqtm (8|M0) (eo)f0.0 r10.mme0:f r12.nomme:f
if: (f0.0) if (8|M0) 48 64
if-f1: (f1.0) if (8|M0) 16 16
else: else (8|M0) 32 32
count-10: add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w
count-11: add (8|M0) r11.0<1>:d r11.0<8;8,1>:d 1:w
cmp-ge-10: cmp (8|M0) (ge)f0.0 null:d r10.0<8;8,1>:d r14.0<8;8,1>:d
cmp-eq-10: cmp (8|M0) (eq)f0.0 null:d r10.0<8;8,1>:d r16.0<8;8,1>:d
cmp-lt-10: cmp (8|M0) (lt)f0.0 null:d r10.0<8;8,1>:d r14.0<8;8,1>:d
break: (f0.0) break (8|M0) 64 64
cont-32: (f0.0) cont (8|M0) 32 32
while: while (8|M0) 32
goto: (f0.0) goto (8|M0) 32 32
goto-back: (f0.0) goto.b (8|M0) 16 32
nop: nop
slm-bytes-write: sends (8|M0) null:ud r12 r16 0x4A 0x020300FE
slm-bytes-read: send (8|M0) r10:d r12 0xA 0x021100FE
slm-atomic: sends (8|M0) r10:ud r12 r16 0x4C 0x0210B7FE
fence: send (8|M0) r10 r12 0xA 0x0219E000
barrier: send (8|M0) null r12 0x3 0x02000004
spill-own: sends (16|M0) null:uw r12 r16 0x8A 0x020F1001
aligned-x1: send (8|M0) r16 r12 0xA 0x021840FF
aligned-x1-high: send (8|M0) r16 r12 0xA 0x021841FF
aligned-x2: send (8|M0) r16 r12 0xA 0x021842FF
aligned-x4: send (8|M0) r16 r12 0xA 0x022843FF
aligned-x8: send (8|M0) r16 r12 0xA 0x024844FF
aligned-slm: send (8|M0) r16 r12 0xA 0x024844FE
mov-eq-d-f: mov (8|M0) (eq)f0.0 r10.0<1>:d r12.0<8;8,1>:f
add-lt-d-f: add (8|M0) (lt)f0.0 r10.0<1>:d r12.0<8;8,1>:f r14.0<8;8,1>:f
barrier: send (8|M0) null:ud r12 0x3 0x02000004
