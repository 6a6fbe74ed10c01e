__kernel void cl_say(__global const float *a) {
    int i = get_global_id(0);
    float4 v = (float4)(a[i], 1.0f, 2.0f, 3.0f);
    printf("lane %d: %v4hlf %s %lu\n", i, v, "text", (ulong)i << 40);
}
