// machine: a state machine of gotos and a dense switch, in OpenCL C.
__attribute__((noinline)) void look(int id) { __asm__ volatile("" : : "r"(id)); }

__kernel void machine(__global const uint *in, __global uint *out, int n) {
  int id = GLOBAL_ID;
  if (id >= n)
    return;
  uint word = in[id], state = 0, trace = 0;
  int steps = 0;
again:
  switch ((state + (word & 3)) % 7) {
  case 0: state = 3; trace = trace * 3 + 1; break;
  case 1: state = 5; trace ^= word; break;
  case 2: state = state * 2 + 1; break;
  case 3: state += 4; trace -= 7; break;
  case 4: state = trace % 11; break;
  case 5: state = 1; trace = trace << 3 | trace >> 29; break;
  default: goto done;
  }
  word = word >> 2 | word << 30;
  if (++steps < 40)
    goto again;
done:
  look(id);
  out[2 * id] = trace;
  out[2 * id + 1] = state * 64 + (uint)steps;
}
