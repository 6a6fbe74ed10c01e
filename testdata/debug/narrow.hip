// narrow: the classes that HIP's headers make of narrow floats and vectors, with the members that these have
// there, for the printers of the Python script.
#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global)) void

struct __half {
  union {
    _Float16 data;
    unsigned short __x;
  };
};

struct hip_bfloat16 {
  unsigned short data;
};

template <typename T, unsigned n> struct HIP_vector_base;

template <typename T> struct HIP_vector_base<T, 3> {
  using Native_vec_ = T __attribute__((ext_vector_type(3)));
  union {
    Native_vec_ data;
    struct {
      T x;
      T y;
      T z;
    };
  };
};

template <typename T, unsigned n> struct HIP_vector_type : HIP_vector_base<T, n> {};

using float3 = HIP_vector_type<float, 3>;

struct Sample {
  __half weight;
  hip_bfloat16 shade;
  float3 at;
};

KERNEL narrow(const float *in, float *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  __half h;
  h.data = (_Float16)in[id];
  hip_bfloat16 b;
  b.data = __builtin_bit_cast(unsigned, in[id]) >> 16;
  _Float16 plain = h.data;
  __bf16 brain = __builtin_bit_cast(__bf16, b.data);
  float3 v;
  v.x = in[id];
  v.y = in[id] * 2;
  v.z = -in[id];
  Sample s;
  s.weight = h;
  s.shade = b;
  s.at = v;
  unsigned packed = (unsigned)b.data << 16 | h.__x;
  out[id] = s.at.y + (float)plain + (float)brain + packed;
}
