#version 450
// Invocations that choose by a flag which some of them never set: optimised, by OpPhi of OpUndef. With phi_ok they
// choose by it only where it is set.
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { int x[]; };
layout(binding = 1) buffer Out { int y[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int flag;
  if (x[i] > 5) {
    flag = x[i] & 1;
    y[i] = flag;
  }
#ifdef phi_ok
  if (x[i] > 5)
#endif
    if (flag > 0) // phi_uninit
      y[i + 128] = 1;
}
