// The kernels of libcublas: matrix products, and what else programs use most of BLAS, in column-major order. They are
// compiled to blas.ptx (go generate).

// Elements are read as what they are added up in, and written from it.

struct half { unsigned short bits; };
struct bfloat { unsigned short bits; };

template <class T> struct element {
  template <class Sum> static __device__ Sum load(const T &x) { return (Sum)x; }
  template <class Sum> static __device__ T store(Sum x) { return (T)x; }
};

template <> struct element<half> {
  template <class Sum> static __device__ Sum load(const half &x) { return (Sum) __builtin_bit_cast(_Float16, x.bits); }
  template <class Sum> static __device__ half store(Sum x) {
    return {__builtin_bit_cast(unsigned short, (_Float16)x)};
  }
};

template <> struct element<bfloat> {
  template <class Sum> static __device__ Sum load(const bfloat &x) {
    return (Sum)__builtin_bit_cast(float, (unsigned)x.bits << 16);
  }
  template <class Sum> static __device__ bfloat store(Sum x) {
    unsigned bits = __builtin_bit_cast(unsigned, (float)x);
    if (x != x) return {0x7fff};
    return {(unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16)}; // to nearest, ties to even
  }
};

// A matrix of each product of a batch: elements at base, or, if there is a list, where its entries point.
struct matrix {
  const void *base;
  const void *const *list;
  long long column, stride; // elements from a column to the next, and from a product to the next

  template <class T> __device__ T *of(int product) const {
    return list ? (T *)list[product] : (T *)base + product * stride;
  }
};

// A scalar is a number, or where it is on the device.
struct scalar {
  double value;
  const void *at;

  template <class T> __device__ T get() const { return at ? *(const T *)at : (T)value; }
};

struct product {
  int m, n, k, transposed_a, transposed_b;
  scalar alpha, beta;
  matrix a, b, c;
};

// put makes elements of C of sums of products: of a row, whose columns are so many elements apart.
template <class Out, class Scale, class Sum>
__device__ __attribute__((noinline)) void put(Out *to, long long apart, int columns, Scale alpha, Scale beta, Sum s0,
                                              Sum s1, Sum s2, Sum s3) {
  for (int i = 0; i < columns; i++, to += apart) {
    Scale sum = alpha * (Scale)(i < 2 ? i ? s1 : s0 : i == 2 ? s2 : s3);
    if (beta != 0) sum += beta * element<Out>::template load<Scale>(*to);
    *to = element<Out>::template store<Scale>(sum);
  }
}

// C = alpha * op(A) * op(B) + beta * C. A workgroup of 16 by 16 has a tile of 64 by 64, of which each thread has 16
// elements, 16 apart.
template <class In, class Out, class Sum, class Scale> __device__ __forceinline__ void multiply(product p) {
  enum { SIDE = 16, EACH = 4, TILE = SIDE * EACH, DEPTH = 16 };
  __shared__ Sum left[DEPTH][TILE], right[DEPTH][TILE];
  const In *a = p.a.of<const In>(blockIdx.z), *b = p.b.of<const In>(blockIdx.z);
  int row0 = blockIdx.x * TILE, column0 = blockIdx.y * TILE, x = threadIdx.x, y = threadIdx.y;
  Sum sums[EACH][EACH] = {};
  for (int k0 = 0; k0 < p.k; k0 += DEPTH) {
    for (int i = 0; i < EACH; i++) {
      int row = row0 + i * SIDE + x, column = column0 + i * SIDE + x, k = k0 + y;
      long long at = p.transposed_a ? row * p.a.column + k : k * p.a.column + row;
      left[y][i * SIDE + x] = row < p.m && k < p.k ? element<In>::template load<Sum>(a[at]) : Sum(0);
      at = p.transposed_b ? k * p.b.column + column : column * p.b.column + k;
      right[y][i * SIDE + x] = column < p.n && k < p.k ? element<In>::template load<Sum>(b[at]) : Sum(0);
    }
    __syncthreads();
    for (int k = 0; k < DEPTH; k++)
#pragma unroll
      for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) sums[i][j] += left[k][i * SIDE + x] * right[k][j * SIDE + y];
    __syncthreads();
  }
  Scale alpha = p.alpha.get<Scale>(), beta = p.beta.get<Scale>();
  Out *c = p.c.of<Out>(blockIdx.z) + (column0 + y) * p.c.column + row0 + x;
  int columns = (p.n - column0 - y + SIDE - 1) / SIDE;
  columns = columns < 0 ? 0 : columns > EACH ? EACH : columns;
#pragma unroll
  for (int i = 0; i < EACH; i++)
    if (row0 + i * SIDE + x < p.m)
      put<Out, Scale>(c + i * SIDE, p.c.column * SIDE, columns, alpha, beta, sums[i][0], sums[i][1], sums[i][2],
                      sums[i][3]);
}

#define GEMM(name, In, Out, Sum, Scale) \
  extern "C" __global__ void name(product p) { multiply<In, Out, Sum, Scale>(p); }
GEMM(gemm_f32_f32, float, float, float, float)
GEMM(gemm_f64_f64, double, double, double, double)
GEMM(gemm_f16_f16, half, half, float, float)
GEMM(gemm_f16_f32, half, float, float, float)
GEMM(gemm_bf16_bf16, bfloat, bfloat, float, float)
GEMM(gemm_bf16_f32, bfloat, float, float, float)
GEMM(gemm_s8_s32, signed char, int, int, int)
GEMM(gemm_s8_f32, signed char, float, float, float)

// Triangular systems: op(A) X = alpha B, or X op(A) = alpha B. Each thread has a column of B, or a row, and writes X
// over it.
struct triangular {
  int right, upper, transposed, unit, m, n;
  scalar alpha;
  matrix a, b;
};

template <class T> __device__ __forceinline__ void solve(triangular p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, size = p.right ? p.n : p.m;
  if (i >= (p.right ? p.m : p.n)) return;
  const T *a = p.a.of<const T>(blockIdx.z);
  T *b = p.b.of<T>(blockIdx.z);
  b += p.right ? i : i * p.b.column;
  long long next = p.right ? p.b.column : 1;
  // X op(A) = B is op(A)' X' = B'.
  bool transposed = p.transposed != p.right, upwards = p.upper != transposed;
  T alpha = p.alpha.get<T>();
  for (int s = 0; s < size; s++) {
    int r = upwards ? size - 1 - s : s;
    T sum = alpha * b[r * next];
    for (int t = 0; t < s; t++) {
      int c = upwards ? size - 1 - t : t;
      sum -= a[transposed ? r * p.a.column + c : c * p.a.column + r] * b[c * next];
    }
    b[r * next] = p.unit ? sum : sum / a[r * p.a.column + r];
  }
}

extern "C" __global__ void trsm_f32(triangular p) { solve<float>(p); }
extern "C" __global__ void trsm_f64(triangular p) { solve<double>(p); }

// Vectors: x and y with the distance of their elements. What comes of a sum is written by one workgroup.
struct vectors {
  int n;
  scalar alpha;
  const void *x;
  long long x_next;
  void *y;
  long long y_next;
  void *result;
};

#define EACH_ELEMENT(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)

#define ON_VECTORS(name, T, what)                                    \
  extern "C" __global__ void name(vectors p) {                       \
    T alpha = p.alpha.get<T>();                                      \
    EACH_ELEMENT(i, p.n) {                                           \
      T &x = ((T *)p.x)[i * p.x_next], &y = ((T *)p.y)[i * p.y_next]; \
      what;                                                          \
    }                                                                \
  }
ON_VECTORS(axpy_f32, float, y += alpha * x)
ON_VECTORS(axpy_f64, double, y += alpha * x)
ON_VECTORS(scal_f32, float, x *= alpha)
ON_VECTORS(scal_f64, double, x *= alpha)
ON_VECTORS(copy_f32, float, y = x)
ON_VECTORS(copy_f64, double, y = x)
ON_VECTORS(swap_f32, float, alpha = x; x = y; y = alpha)
ON_VECTORS(swap_f64, double, alpha = x; x = y; y = alpha)

enum { THREADS = 256 };

// total adds what all threads of a workgroup have.
template <class T> __device__ T total(T own) {
  __shared__ T all[THREADS];
  all[threadIdx.x] = own;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
  }
  __syncthreads();
  return all[0];
}

#define SUM_OF_VECTORS(name, T, term, end)                                   \
  extern "C" __global__ void name(vectors p) {                              \
    T own = 0;                                                              \
    EACH_ELEMENT(i, p.n) {                                                  \
      T x = ((const T *)p.x)[i * p.x_next];                                  \
      own += term;                                                          \
    }                                                                       \
    T sum = total(own);                                                     \
    if (threadIdx.x == 0) *(T *)p.result = end;                             \
  }
SUM_OF_VECTORS(dot_f32, float, x * ((const float *)p.y)[i * p.y_next], sum)
SUM_OF_VECTORS(dot_f64, double, x * ((const double *)p.y)[i * p.y_next], sum)
SUM_OF_VECTORS(nrm2_f32, float, x * x, __builtin_sqrtf(sum))
SUM_OF_VECTORS(nrm2_f64, double, x * x, __builtin_sqrt(sum))
SUM_OF_VECTORS(asum_f32, float, x < 0 ? -x : x, sum)
SUM_OF_VECTORS(asum_f64, double, x < 0 ? -x : x, sum)

// The first element of the greatest magnitude, or of the least, counted from 1.
template <class T> __device__ __forceinline__ void extreme(vectors p, int sign) {
  __shared__ T values[THREADS];
  __shared__ int places[THREADS];
  T best = 0;
  int place = 0;
  EACH_ELEMENT(i, p.n) {
    T x = ((const T *)p.x)[i * p.x_next];
    x = sign * (x < 0 ? -x : x);
    if (place == 0 || x > best) best = x, place = i + 1;
  }
  values[threadIdx.x] = best, places[threadIdx.x] = place;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < THREADS; i++)
    if (places[i] && (values[i] > best || (values[i] == best && places[i] < place))) best = values[i], place = places[i];
  *(int *)p.result = place;
}

extern "C" __global__ void amax_f32(vectors p) { extreme<float>(p, 1); }
extern "C" __global__ void amax_f64(vectors p) { extreme<double>(p, 1); }
extern "C" __global__ void amin_f32(vectors p) { extreme<float>(p, -1); }
extern "C" __global__ void amin_f64(vectors p) { extreme<double>(p, -1); }

// y = alpha * op(A) * x + beta * y, and A += alpha * x * y'. A thread has an element of y, or of A.
struct matrix_vector {
  int m, n, transposed;
  scalar alpha, beta;
  matrix a;
  const void *x;
  long long x_next;
  void *y;
  long long y_next;
};

template <class T> __device__ __forceinline__ void apply(matrix_vector p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (p.transposed ? p.n : p.m)) return;
  const T *a = p.a.of<const T>(0), *x = (const T *)p.x;
  T sum = 0;
  for (int j = 0; j < (p.transposed ? p.m : p.n); j++)
    sum += a[p.transposed ? i * p.a.column + j : j * p.a.column + i] * x[j * p.x_next];
  T &y = ((T *)p.y)[i * p.y_next], beta = p.beta.get<T>();
  y = p.alpha.get<T>() * sum + (beta == 0 ? T(0) : beta * y);
}

template <class T> __device__ __forceinline__ void outer(matrix_vector p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= p.m) return;
  p.a.of<T>(0)[j * p.a.column + i] +=
      p.alpha.get<T>() * ((const T *)p.x)[i * p.x_next] * ((const T *)p.y)[j * p.y_next];
}

extern "C" __global__ void gemv_f32(matrix_vector p) { apply<float>(p); }
extern "C" __global__ void gemv_f64(matrix_vector p) { apply<double>(p); }
extern "C" __global__ void ger_f32(matrix_vector p) { outer<float>(p); }
extern "C" __global__ void ger_f64(matrix_vector p) { outer<double>(p); }
