ok-rows: add (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
ok-scalar: add (8|M0) r10.0<1>:d r12.0<0;1,0>:d r14.3<0;1,0>:d
ok-two: add (16|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
ok-words: mov (8|M0) r10.0<2>:w r12.0<16;8,2>:w
ok-one: mov (1|M0) r10.1<1>:d r12.3<0;1,0>:d
ok-repeated: mov (16|M0) r10.0<1>:w r12.0<0;8,1>:w
ok-crossing: mov (8|M0) r10.0<1>:d r12.4<4;4,1>:d
bad-width: mov (4|M0) r10.0<1>:d r12.0<8;8,1>:d
bad-vertical: mov (8|M0) r10.0<1>:d r12.0<16;8,1>:d
bad-column: mov (8|M0) r10.0<1>:d r12.0<4;1,1>:d
bad-single: mov (1|M0) r10.0<1>:d r12.0<4;1,0>:d
bad-zero: mov (8|M0) r10.0<1>:d r12.0<0;8,0>:d
bad-crossing: mov (8|M0) r10.0<1>:d r12.4<8;8,1>:d
bad-span: mov (8|M0) r10.0<1>:d r12.0<16;4,2>:d
bad-long: mov (16|M0) r10.0<2>:d r12.0<8;8,1>:d
ok-divide: math.iqot (8|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d
bad-divide: math.iqot (8|M0) r10.0<1>:d r12.0<8;8,1>:d r16.0<8;8,1>:d
ok-least: math.iqot (8|M0) r10.0<1>:d r18.0<8;8,1>:d r14.0<8;8,1>:d
ok-unsigned: math.iqot (8|M0) r10.0<1>:ud r18.0<8;8,1>:ud r20.0<8;8,1>:ud
bad-least: math.iqot (8|M0) r10.0<1>:d r18.0<8;8,1>:d r20.0<8;8,1>:d
bad-remainder: math.irem (8|M0) r10.0<1>:d r18.0<8;8,1>:d r20.0<8;8,1>:d
bad-end: (W) send (8|M0) null r12 0x27 0x02000010 {EOT}
