// wide_product: products of 128 bits and sums with carries, of words of 32 and of 64 bits, in OpenCL C.
__attribute__((noinline)) void look(int id) { __asm__ volatile("" : : "r"(id)); }

struct Wide {
  ulong low, high;
};

struct Wide product(ulong a, ulong b) {
  ulong a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  ulong low = a0 * b0, m1 = a1 * b0, m2 = a0 * b1, high = a1 * b1;
  ulong middle = (low >> 32) + (m1 & 0xffffffffu) + (m2 & 0xffffffffu);
  struct Wide r;
  r.low = (low & 0xffffffffu) | middle << 32;
  r.high = high + (m1 >> 32) + (m2 >> 32) + (middle >> 32);
  return r;
}

__kernel void wide_product(__global const uint *in, __global uint *out, int n) {
  int id = GLOBAL_ID;
  if (id >= n)
    return;
  ulong a = (ulong)in[id] << 32 | in[(id + 1) % n], b = (ulong)in[(id + 2) % n] << 32 | ~in[id];
  struct Wide p = product(a, b);
  struct Wide sum = {p.low + a, p.high + b};
  int carry = sum.low < p.low;
  sum.high += (ulong)carry;
  uint digits[4] = {(uint)sum.low, (uint)(sum.low >> 32), (uint)sum.high, (uint)(sum.high >> 32)};
  look(id);
  for (int i = 0; i < 4; i++)
    out[4 * id + i] = digits[i];
}
