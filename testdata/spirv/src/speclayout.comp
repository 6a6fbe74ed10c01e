#version 450
// Structs whose members lie behind an array of a specialised size.
layout(local_size_x = 4) in;
layout(constant_id = 0) const int COUNT = 2;
struct S { float a[COUNT]; int b; vec2 c; };
layout(set = 0, binding = 0) buffer Out { int r[]; };
shared S both;
void main() {
    uint i = gl_LocalInvocationIndex;
    S own;
    S two[2];
    for (int k = 0; k < COUNT; k++) {
        own.a[k] = float(k) + float(i);
    }
    own.b = int(i) * 10;
    own.c = vec2(i, COUNT);
    two[1].b = 77;
    two[1].c = own.c;
    two[0].b = 1;
    if (i == 2u) {
        both.a[COUNT - 1] = 0.5;
        both.b = two[1].b;
        both.c = two[1].c;
    }
    barrier();
    r[i] = both.b + own.b + two[1].b;
}
