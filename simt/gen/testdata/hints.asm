low: mov (4|M0) r10.0<1>:d r12.0<4;4,1>:d
low-clr: mov (4|M0) r10.0<1>:d r12.0<4;4,1>:d {NoDDClr}
low-chk: mov (4|M0) r10.0<1>:d r12.0<4;4,1>:d {NoDDChk}
high-chk: mov (4|M0) r10.4<1>:d r12.0<4;4,1>:d {NoDDChk}
high-both: mov (4|M0) r10.4<1>:d r12.0<4;4,1>:d {NoDDChk,NoDDClr}
high: mov (4|M0) r10.4<1>:d r12.0<4;4,1>:d
last-chk: mov (1|M0) r10.7<1>:d r12.0<0;1,0>:d {NoDDChk}
none-chk: (f0.0) mov (4|M0) r10.4<1>:d r12.0<4;4,1>:d {NoDDChk}
read: mov (8|M0) r14.0<1>:d r10.0<8;8,1>:d
read-high: mov (1|M0) r14.0<1>:d r10.7<0;1,0>:d
other: mov (8|M0) r11.0<1>:d r12.0<8;8,1>:d
words-clr: mov (8|M0) r10.0<2>:w r12.0<8;8,1>:w {NoDDClr}
words-chk: mov (8|M0) r10.1<2>:w r12.0<8;8,1>:w {NoDDChk}
store: sends (8|M0) null:ud r16 r10 0x4C 0x040681FF
load: send (8|M0) r10:d r16:uq 0xC 0x041401FF
