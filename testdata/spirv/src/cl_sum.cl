__kernel void cl_sum(__global const int *a, __global int *out, __local int *part, int n) {
    int l = get_local_id(0), g = get_group_id(0);
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (a[i] < 0)
            continue;
        sum += a[i];
    }
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) / 2; k > 0; k /= 2) {
        if (l < k)
            part[l] += part[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[g] = part[0];
}
