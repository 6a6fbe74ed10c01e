typedef struct Node {
    int value;
    char tag;
    short w;
    __global struct Node *next;
    float3 at;
} Node;
__constant int weights[4] = {1, 10, 100, 1000};
static int walk(__global Node *n, int k) {
    int s = 0;
    while (n && k-- > 0) {
        s += n->value * weights[k & 3] + n->tag + n->w;
        n = n->next;
    }
    return s;
}
typedef struct Params { float scale; int4 bias; } Params;
__kernel void cl_nodes(__global Node *nodes, __global float *out, Params p) {
    size_t i = get_global_id(0);
    for (int k = 0; k < 3; k++)
        nodes[i].next = i + k < 6 ? &nodes[i + k + 1] : 0;
    float3 v = nodes[i].at * p.scale;
    out[i] = (float)walk(&nodes[i], i) + dot(v, (float3)(1.0f, 2.0f, 3.0f)) + p.bias.z;
}
