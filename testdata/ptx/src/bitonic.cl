// bitonic: a sort of each workgroup's part in local memory that the launch provides.
__kernel void bitonic(__global int *data, __local int *part) {
  int local_id = __nvvm_read_ptx_sreg_tid_x(), size = __nvvm_read_ptx_sreg_ntid_x();
  __global int *mine = data + __nvvm_read_ptx_sreg_ctaid_x() * size;
  part[local_id] = mine[local_id];
  __nvvm_bar_sync(0);
  for (int k = 2; k <= size; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = local_id ^ j;
      if (other > local_id) {
        int a = part[local_id], b = part[other];
        if ((a > b) == ((local_id & k) == 0)) {
          part[local_id] = b;
          part[other] = a;
        }
      }
      __nvvm_bar_sync(0);
    }
  mine[local_id] = part[local_id];
}
