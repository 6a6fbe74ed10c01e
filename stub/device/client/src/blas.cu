// The kernels of libcublas: matrix products, and what else programs use most of BLAS, in column-major order. They are
// compiled to blas.ptx (go generate).

// Elements are read as what they are added up in, and written from it.

struct half { unsigned short bits; };
struct bfloat { unsigned short bits; };

// A complex number.
template <class R> struct complex {
  R x, y;
  __device__ complex() = default;
  __device__ complex(double r, double i = 0) : x((R)r), y((R)i) {}
  friend __device__ complex operator+(complex a, complex b) { return {a.x + b.x, a.y + b.y}; }
  friend __device__ complex operator*(complex a, complex b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
  friend __device__ bool operator!=(complex a, complex b) { return a.x != b.x || a.y != b.y; }
  __device__ void operator+=(complex b) { *this = *this + b; }
  __device__ void operator*=(complex b) { *this = *this * b; }
};

template <class T> __device__ T conjugate(T a) { return a; }
template <class R> __device__ complex<R> conjugate(complex<R> a) { return {a.x, -a.y}; }
template <class T> __device__ T square(T a) { return a * a; }
template <class R> __device__ R square(complex<R> a) { return a.x * a.x + a.y * a.y; }

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
  double value, imaginary;
  const void *at;

  template <class T> static __device__ void set(T &to, double x, double) { to = (T)x; }
  template <class R> static __device__ void set(complex<R> &to, double x, double y) { to = {x, y}; }
  template <class T> __device__ T get() const {
    if (at) return *(const T *)at;
    T is;
    set(is, value, imaginary);
    return is;
  }
};

// How an operand is transposed; only where elements are complex does the last differ.
enum { PLAIN, TRANSPOSED, CONJUGATE };

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
    if (beta != Scale(0)) sum += beta * element<Out>::template load<Scale>(*to);
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
  Sum sums[EACH][EACH];
  for (int i = 0; i < EACH * EACH; i++) sums[i / EACH][i % EACH] = Sum(0);
  for (int k0 = 0; k0 < p.k; k0 += DEPTH) {
    for (int i = 0; i < EACH; i++) {
      int row = row0 + i * SIDE + x, column = column0 + i * SIDE + x, k = k0 + y;
      long long at = p.transposed_a ? row * p.a.column + k : k * p.a.column + row;
      left[y][i * SIDE + x] = row < p.m && k < p.k ? element<In>::template load<Sum>(a[at]) : Sum(0);
      at = p.transposed_b ? k * p.b.column + column : column * p.b.column + k;
      right[y][i * SIDE + x] = column < p.n && k < p.k ? element<In>::template load<Sum>(b[at]) : Sum(0);
    }
    if (p.transposed_a == CONJUGATE)
      for (int i = 0; i < EACH; i++) left[y][i * SIDE + x] = conjugate(left[y][i * SIDE + x]);
    if (p.transposed_b == CONJUGATE)
      for (int i = 0; i < EACH; i++) right[y][i * SIDE + x] = conjugate(right[y][i * SIDE + x]);
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
GEMM(gemm_c32_c32, complex<float>, complex<float>, complex<float>, complex<float>)
GEMM(gemm_c64_c64, complex<double>, complex<double>, complex<double>, complex<double>)

// C = alpha * op(A) + beta * op(B), and C = A diag(x) or diag(x) A; a thread has an element of C.
struct two_matrices {
  int m, n, transposed_a, transposed_b;
  scalar alpha, beta;
  matrix a, b, c;
};

template <class T> __device__ __forceinline__ T at(const matrix &m, int transposed, int i, int j) {
  T x = m.of<const T>(0)[transposed ? i * m.column + j : j * m.column + i];
  return transposed == CONJUGATE ? conjugate(x) : x;
}

template <class T> __device__ __forceinline__ void add_matrices(two_matrices p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= p.m) return;
  T sum(0), alpha = p.alpha.get<T>(), beta = p.beta.get<T>();
  if (alpha != T(0)) sum += alpha * at<T>(p.a, p.transposed_a, i, j);
  if (beta != T(0)) sum += beta * at<T>(p.b, p.transposed_b, i, j);
  p.c.of<T>(0)[j * p.c.column + i] = sum;
}

template <class T> __device__ __forceinline__ void by_diagonal(two_matrices p) { // of b, whose columns are elements
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= p.m) return;
  p.c.of<T>(0)[j * p.c.column + i] =
      p.a.of<const T>(0)[j * p.a.column + i] * p.b.of<const T>(0)[(p.transposed_b ? i : j) * p.b.column];
}

#define FOR_ALL(name, Argument, what)                                      \
  extern "C" __global__ void name##_f32(Argument p) { what<float>(p); }    \
  extern "C" __global__ void name##_f64(Argument p) { what<double>(p); }   \
  extern "C" __global__ void name##_c32(Argument p) { what<complex<float>>(p); } \
  extern "C" __global__ void name##_c64(Argument p) { what<complex<double>>(p); }
FOR_ALL(geam, two_matrices, add_matrices)
FOR_ALL(dgmm, two_matrices, by_diagonal)

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
#define VECTORS_FOR(suffix, T)                                 \
  ON_VECTORS(axpy_##suffix, T, y += alpha * x)                  \
  ON_VECTORS(scal_##suffix, T, x *= alpha)                      \
  ON_VECTORS(copy_##suffix, T, y = x)                           \
  ON_VECTORS(swap_##suffix, T, alpha = x; x = y; y = alpha)
VECTORS_FOR(f32, float)
VECTORS_FOR(f64, double)
VECTORS_FOR(c32, complex<float>)
VECTORS_FOR(c64, complex<double>)

// Vectors of small numbers, of which one computes with floats.
#define ON_SMALL(name, T, what)                                                                                    \
  extern "C" __global__ void name(vectors p) {                                                                     \
    float alpha = p.alpha.get<float>();                                                                            \
    EACH_ELEMENT(i, p.n) {                                                                                         \
      T *px = (T *)p.x + i * p.x_next, *py = (T *)p.y + i * p.y_next;                                              \
      float x = element<T>::template load<float>(*px), y = element<T>::template load<float>(*py);                  \
      what;                                                                                                        \
    }                                                                                                              \
  }
ON_SMALL(axpy_f16, half, *py = element<half>::store(y + alpha * x))
ON_SMALL(axpy_bf16, bfloat, *py = element<bfloat>::store(y + alpha * x))
ON_SMALL(scal_f16, half, *px = element<half>::store(alpha * x); (void)y)
ON_SMALL(scal_bf16, bfloat, *px = element<bfloat>::store(alpha * x); (void)y)

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

// nth is an element of a vector.
template <class T, class As> __device__ As nth(const void *vector, long long next, int i) {
  return element<T>::template load<As>(((const T *)vector)[i * next]);
}

// Sums of terms of elements, which are read as numbers of another type.
#define SUM_OF_VECTORS(name, T, As, Sum, Out, term, end)     \
  extern "C" __global__ void name(vectors p) {              \
    Sum own(0);                                             \
    EACH_ELEMENT(i, p.n) {                                  \
      As x = nth<T, As>(p.x, p.x_next, i);                  \
      own += term;                                          \
    }                                                       \
    Sum sum = total(own);                                   \
    if (threadIdx.x == 0) *(Out *)p.result = end;           \
  }
#define DOT(name, T, As, first) \
  SUM_OF_VECTORS(name, T, As, As, T, (first * nth<T, As>(p.y, p.y_next, i)), element<T>::store(sum))
DOT(dot_f32, float, float, x)
DOT(dot_f64, double, double, x)
DOT(dot_f16, half, float, x)
DOT(dot_bf16, bfloat, float, x)
DOT(dot_c32, complex<float>, complex<float>, x)
DOT(dot_c64, complex<double>, complex<double>, x)
DOT(dotc_c32, complex<float>, complex<float>, conjugate(x))
DOT(dotc_c64, complex<double>, complex<double>, conjugate(x))
SUM_OF_VECTORS(nrm2_f32, float, float, float, float, x * x, __builtin_sqrtf(sum))
SUM_OF_VECTORS(nrm2_f64, double, double, double, double, x * x, __builtin_sqrt(sum))
SUM_OF_VECTORS(nrm2_f16, half, float, float, half, x * x, element<half>::store(__builtin_sqrtf(sum)))
SUM_OF_VECTORS(nrm2_bf16, bfloat, float, float, bfloat, x * x, element<bfloat>::store(__builtin_sqrtf(sum)))
SUM_OF_VECTORS(nrm2_c32, complex<float>, complex<float>, float, float, square(x), __builtin_sqrtf(sum))
SUM_OF_VECTORS(nrm2_c64, complex<double>, complex<double>, double, double, square(x), __builtin_sqrt(sum))
SUM_OF_VECTORS(asum_f32, float, float, float, float, x < 0 ? -x : x, sum)
SUM_OF_VECTORS(asum_f64, double, double, double, double, x < 0 ? -x : x, sum)

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
  matrix a, x, y; // of the vectors columns are elements
};

template <class T> __device__ __forceinline__ void apply(matrix_vector p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (p.transposed ? p.n : p.m)) return;
  const T *a = p.a.of<const T>(blockIdx.y), *x = p.x.of<const T>(blockIdx.y);
  T sum(0);
  for (int j = 0; j < (p.transposed ? p.m : p.n); j++) {
    T element = a[p.transposed ? i * p.a.column + j : j * p.a.column + i];
    sum += (p.transposed == CONJUGATE ? conjugate(element) : element) * x[j * p.x.column];
  }
  T &y = p.y.of<T>(blockIdx.y)[i * p.y.column], beta = p.beta.get<T>();
  y = p.alpha.get<T>() * sum + (beta != T(0) ? beta * y : T(0));
}

template <class T> __device__ __forceinline__ void outer(matrix_vector p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= p.m) return;
  p.a.of<T>(0)[j * p.a.column + i] +=
      p.alpha.get<T>() * p.x.of<const T>(0)[i * p.x.column] * p.y.of<const T>(0)[j * p.y.column];
}

FOR_ALL(gemv, matrix_vector, apply)
extern "C" __global__ void ger_f32(matrix_vector p) { outer<float>(p); }
extern "C" __global__ void ger_f64(matrix_vector p) { outer<double>(p); }

// C = alpha * op(A) * op(A)' + beta * C, of which a triangle counts; a thread has an element.
struct symmetric {
  int upper, transposed, n, k;
  scalar alpha, beta;
  matrix a, c;
};

template <class T> __device__ __forceinline__ void by_itself(symmetric p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= p.n || (p.upper ? i > j : i < j)) return;
  T sum(0), beta = p.beta.get<T>(), &c = p.c.of<T>(0)[j * p.c.column + i];
  for (int l = 0; l < p.k; l++) sum += at<T>(p.a, p.transposed, i, l) * at<T>(p.a, p.transposed, j, l);
  c = p.alpha.get<T>() * sum + (beta != T(0) ? beta * c : T(0));
}

extern "C" __global__ void syrk_f32(symmetric p) { by_itself<float>(p); }
extern "C" __global__ void syrk_f64(symmetric p) { by_itself<double>(p); }

// Batches of small systems: A = P L U, in place, with the rows that were changed, from 1 on, if they are wanted; and what is
// solved by that. A thread has a matrix.
struct small_system {
  int n, columns, transposed, batch;
  matrix a, b;
  int *rows, *info; // of each matrix n, and one
};

template <class T> __device__ T magnitude(T x) { return x < 0 ? -x : x; }

template <class T> __device__ __attribute__((noinline)) void exchange(T *a, long long next, int n, int r, int s) {
  for (int j = 0; j < n; j++) {
    T x = a[j * next + r];
    a[j * next + r] = a[j * next + s], a[j * next + s] = x;
  }
}

template <class T> __device__ __forceinline__ void factor(small_system p) {
  int which = blockIdx.x * blockDim.x + threadIdx.x;
  if (which >= p.batch) return;
  T *a = p.a.of<T>(which);
  long long next = p.a.column;
  int info = 0;
  for (int k = 0; k < p.n; k++) {
    int best = k;
    for (int i = k + 1; p.rows && i < p.n; i++)
      if (magnitude(a[k * next + i]) > magnitude(a[k * next + best])) best = i;
    if (p.rows) p.rows[(long long)which * p.n + k] = best + 1;
    if (best != k) exchange(a, next, p.n, k, best);
    if (a[k * next + k] == 0) {
      if (!info) info = k + 1;
      continue;
    }
    for (int i = k + 1; i < p.n; i++) a[k * next + i] /= a[k * next + k];
    for (int j = k + 1; j < p.n; j++)
      for (int i = k + 1; i < p.n; i++) a[j * next + i] -= a[k * next + i] * a[j * next + k];
  }
  p.info[which] = info;
}

// triangle solves with one factor of A, or with its transposed one; L has ones on its diagonal.
template <class T>
__device__ __attribute__((noinline)) void triangle(const T *a, long long next, int n, bool upper, bool transposed, T *x) {
  bool upwards = upper != transposed;
  for (int s = 0; s < n; s++) {
    int r = upwards ? n - 1 - s : s;
    for (int t = 0; t < s; t++) {
      int c = upwards ? n - 1 - t : t;
      x[r] -= a[transposed ? r * next + c : c * next + r] * x[c];
    }
    if (upper) x[r] /= a[r * next + r];
  }
}

template <class T> __device__ __forceinline__ void solve_factored(small_system p) {
  int which = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (which >= p.batch) return;
  const T *a = p.a.of<const T>(which);
  const int *rows = p.rows ? p.rows + (long long)which * p.n : nullptr;
  T *x = p.b.of<T>(which) + column * p.b.column;
  if (p.info) { // of the unit matrix
    for (int i = 0; i < p.n; i++) x[i] = i == column;
    if (column == 0) {
      int info = 0;
      for (int i = p.n - 1; i >= 0; i--)
        if (a[i * p.a.column + i] == 0) info = i + 1;
      p.info[which] = info;
    }
  }
  for (int i = 0; rows && !p.transposed && i < p.n; i++) exchange(x, 0, 1, i, rows[i] - 1);
  triangle(a, p.a.column, p.n, p.transposed, p.transposed, x);
  triangle(a, p.a.column, p.n, !p.transposed, p.transposed, x);
  for (int i = p.n - 1; rows && p.transposed && i >= 0; i--) exchange(x, 0, 1, i, rows[i] - 1);
}

extern "C" __global__ void getrf_f32(small_system p) { factor<float>(p); }
extern "C" __global__ void getrf_f64(small_system p) { factor<double>(p); }
extern "C" __global__ void getrs_f32(small_system p) { solve_factored<float>(p); }
extern "C" __global__ void getrs_f64(small_system p) { solve_factored<double>(p); }

// What comes after a product of cuBLASLt: a bias for each row, then ReLU or GELU.
struct epilogue {
  void *at;
  const void *bias;
  long long row, column, stride, bias_stride; // elements to the next
  int rows, columns, relu, gelu;
};

template <class T, class Sum> __device__ __forceinline__ void finish(epilogue e) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y, matrix = blockIdx.z;
  if (row >= e.rows) return;
  T *at = (T *)e.at + matrix * e.stride + row * e.row + column * e.column;
  Sum x = element<T>::template load<Sum>(*at);
  if (e.bias) x += element<T>::template load<Sum>(((const T *)e.bias)[matrix * e.bias_stride + row]);
  if (e.relu) x = x > 0 ? x : 0;
  if (e.gelu) x = x / 2 * (1 + (Sum)tanh((double)((Sum)0.7978845608028654 * (x + (Sum)0.044715 * x * x * x))));
  *at = element<T>::template store<Sum>(x);
}

extern "C" __global__ void epilogue_f32(epilogue e) { finish<float, float>(e); }
extern "C" __global__ void epilogue_f64(epilogue e) { finish<double, double>(e); }
extern "C" __global__ void epilogue_f16(epilogue e) { finish<half, float>(e); }
extern "C" __global__ void epilogue_bf16(epilogue e) { finish<bfloat, float>(e); }
