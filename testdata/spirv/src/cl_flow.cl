__kernel void cl_flow(__global int *out, int n) {
    int i = get_global_id(0);
    int r = 0;
    for (int a = 0; a < n; a++) {
        int b = a + i;
        while (b > 1) {
            if (b % 3 == 0) {
                b /= 3;
                goto next;
            }
            b = b & 1 ? b - 1 : b / 2;
            if (b == 7)
                goto out;
        next:
            r += b;
        }
        switch ((a + i) % 5) {
        case 1: r ^= 5; break;
        case 3: r += 1000; continue;
        case 4: if (r & 1) goto out;
        default: r += 2;
        }
    }
out:
    out[i] = r;
}
