// Copies of structs, counters, pointers made of numbers, and pointers to any memory.
typedef struct S { int a[5]; char b; } S;
static int any_memory(int *p, int add) {
    *p += add;
    return *p;
}
__kernel void cl_more(__global int *out, __global uint *c, __local int *l) {
    int g = get_global_id(0);
    S s, t;
    for (int k = 0; k < 5; k++)
        s.a[k] = g * k;
    s.b = (char)g;
    t = s;
    s.a[3] = -1;
    l[g] = 100 + g;
    int own = 200 + g;
    int *either = &own;
    if (!(g & 1))
        either = &l[g];
    int sum = any_memory(either, 3);
    sum += any_memory(&out[g], 1);
    atomic_inc(c);
    atomic_dec(c + 1);
    atomic_sub(c + 2, 3u);
    ulong at = (ulong)out + 4 * (ulong)(g + 8);
    *(__global int *)at = t.a[3] + t.b;
    out[g + 16] = sum + own + l[g];
    int4 v = (int4)(1, 2, 3, 4);
    ((int *)&v)[g & 3] = g;
    out[g + 24] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
}
