// Asynchronous copies, which go on until they have been waited for: kernels with a defect, beside ones that
// wait. Marks are those of defects.cl; other is the copy.

#define GROUP 128

// Waits, and reads.
__kernel void waits_ok(__global const int *in, __global int *out) {
  __local int tile[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t e = async_work_group_copy(tile, in + first, GROUP, 0);
  wait_group_events(1, &e);
  out[first + l] = tile[GROUP - 1 - l];
}

// A barrier does not wait for a copy.
__kernel void early_race(__global const int *in, __global int *out) {
  __local int tile[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t e = async_work_group_copy(tile, in + first, GROUP, 0); // early_race other
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + l] = tile[GROUP - 1 - l]; // early_race
  wait_group_events(1, &e);
}

// What is copied from is written before the wait.
__kernel void source_race(__global const int *in, __global int *out) {
  __local int tile[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  tile[l] = in[first + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + first, tile, GROUP, 0); // source_race other
  tile[l] = l; // source_race
  wait_group_events(1, &e);
}

// The other of two copies has been waited for; only every second element comes.
__kernel void other_race(__global const int *in, __global int *out) {
  __local int a[GROUP], b[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t ea = async_work_group_strided_copy(a, in, GROUP, 2, 0);
  event_t eb = async_work_group_copy(b, in + first, GROUP, 0); // other_race other
  wait_group_events(1, &ea);
  int sum = a[l];
  sum += b[l]; // other_race
  wait_group_events(1, &eb);
  out[first + l] = sum;
}

// Two copies with one event, and a list of two events.
__kernel void lists_ok(__global const int *in, __global int *out) {
  __local int a[GROUP], b[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t e[2];
  e[0] = async_work_group_copy(a, in + first, GROUP / 2, 0);
  e[0] = async_work_group_copy(a + GROUP / 2, in + first + GROUP / 2, GROUP / 2, e[0]);
  e[1] = async_work_group_strided_copy(b, in, GROUP, 2, 0);
  wait_group_events(2, e);
  out[first + l] = a[l] + b[GROUP - 1 - l];
}

// Elements between those of a strided copy are none of its.
__kernel void between_ok(__global const int *in, __global int *out) {
  __local int tile[GROUP / 2];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  if (l < GROUP / 2)
    tile[l] = in[first + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out + first, tile, GROUP / 2, 2, 0);
  if (l & 1)
    out[first + l] = l;
  wait_group_events(1, &e);
}

// Work-items wait for different events.
__kernel void differ_undefined(__global const int *in, __global int *out) {
  __local int a[GROUP], b[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t ea = async_work_group_copy(a, in + first, GROUP, 0);
  event_t eb = async_work_group_copy(b, in + first, GROUP, 0);
  event_t *e = &ea;
  if (l % 2)
    e = &eb;
  wait_group_events(1, e); // differ_undefined
  wait_group_events(1, &ea);
  wait_group_events(1, &eb);
  out[first + l] = a[l] + b[l];
}

// The third copy takes one event in some work-items, another in the others.
__kernel void event_undefined(__global const int *in, __global int *out) {
  __local int a[GROUP], b[GROUP], c[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t ea = async_work_group_copy(a, in, GROUP, 0);
  event_t eb = async_work_group_copy(b, in, GROUP, 0);
  event_t *which = l > 13 ? &eb : &ea;
  async_work_group_copy(c, in, GROUP, *which); // event_undefined
  wait_group_events(1, &ea);
  wait_group_events(1, &eb);
  out[first + l] = a[l] + b[l] + c[l];
}

// All take that of the first.
__kernel void event_ok(__global const int *in, __global int *out) {
  __local int a[GROUP], b[GROUP], c[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  event_t ea = async_work_group_copy(a, in, GROUP, 0);
  event_t eb = async_work_group_copy(b, in, GROUP, 0);
  event_t *which = get_group_id(0) > 13 ? &eb : &ea;
  async_work_group_copy(c, in, GROUP, *which);
  wait_group_events(1, &ea);
  wait_group_events(1, &eb);
  out[first + l] = a[l] + b[l] + c[l];
}

// The halves of a workgroup copy from different places: of each subgroup all work-items copy the same.
__kernel void halves_undefined(__global const int *in, __global int *out) {
  __local int tile[GROUP];
  int l = get_local_id(0), first = get_group_id(0) * GROUP;
  __global const int *from = in + first;
  if (l >= GROUP / 2)
    from = in;
  event_t e = async_work_group_copy(tile, from, GROUP, 0); // halves_undefined
  wait_group_events(1, &e);
  out[first + l] = tile[l];
}
