// cuBLAS, as far as its common path: products of matrices of all types, also batched; triangular and other
// systems in batches; and what programs use of vectors, of a matrix with a vector, and of two matrices. Its
// kernels are those of blas.cu. The rest says its name once, and returns CUBLAS_STATUS_NOT_SUPPORTED.
#include "hip.h"

#include <math.h>

// The kernels, a module of PTX that ends with 0.
__asm__(".pushsection .rodata\n"
        "simtgdb_blas: .incbin \"blas.ptx\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char simtgdb_blas[] __attribute__((visibility("hidden")));

enum {
  BLAS_SUCCESS,
  BLAS_NOT_INITIALIZED,
  BLAS_ALLOC_FAILED = 3,
  BLAS_INVALID_VALUE = 7,
  BLAS_EXECUTION_FAILED = 13,
  BLAS_INTERNAL_ERROR = 14,
  BLAS_NOT_SUPPORTED = 15,
};

// The types of elements, cudaDataType_t.
enum { R_32F, R_64F, R_16F, R_8I, C_32F, C_64F, R_32I = 10, R_16BF = 14 };

static unsigned size_of_type(int type) {
  switch (type) {
  case C_64F: return 16;
  case C_32F:
  case R_64F: return 8;
  case R_32F:
  case R_32I: return 4;
  case R_16F:
  case R_16BF: return 2;
  }
  return 1;
}

// blas is a handle.
typedef struct {
  hipStream_t stream;
  int on_device; // scalars are
  int math, atomics;
  void *result; // where kernels put a number that the host wants
} blas;

// blas_missing is what is not there: it says so once.
static int blas_missing(const char *name, char *said) {
  hip_missing(name, said);
  return BLAS_NOT_SUPPORTED;
}

int cublasCreate_v2(blas **out) {
  if (!out) return BLAS_INVALID_VALUE;
  blas *b = calloc(1, sizeof *b);
  if (!b) return BLAS_ALLOC_FAILED;
  dev_own = 1;
  int error = hipMalloc(&b->result, 64);
  dev_own = 0;
  if (error) {
    free(b);
    return BLAS_NOT_INITIALIZED;
  }
  *out = b;
  return BLAS_SUCCESS;
}

int cublasDestroy_v2(blas *b) {
  if (!b) return BLAS_NOT_INITIALIZED;
  hipFree(b->result);
  free(b);
  return BLAS_SUCCESS;
}

#define BLAS_SETTING(Name, field, type)                  \
  int cublasSet##Name(blas *b, type value) {             \
    if (!b) return BLAS_NOT_INITIALIZED;                 \
    b->field = value;                                    \
    return BLAS_SUCCESS;                                 \
  }                                                      \
  int cublasGet##Name(blas *b, type *out) {              \
    if (!b || !out) return b ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED; \
    *out = b->field;                                     \
    return BLAS_SUCCESS;                                 \
  }
BLAS_SETTING(Stream_v2, stream, hipStream_t)
BLAS_SETTING(PointerMode_v2, on_device, int)
BLAS_SETTING(MathMode, math, int)
BLAS_SETTING(AtomicsMode, atomics, int)

int cublasSetWorkspace_v2(blas *b, void *workspace, size_t size) {
  (void)workspace, (void)size; // nothing needs one
  return b ? BLAS_SUCCESS : BLAS_NOT_INITIALIZED;
}

int cublasGetVersion_v2(blas *b, int *version) {
  (void)b;
  if (!version) return BLAS_INVALID_VALUE;
  *version = 130000;
  return BLAS_SUCCESS;
}

int cublasGetProperty(int which, int *value) {
  if (!value || which < 0 || which > 2) return BLAS_INVALID_VALUE;
  *value = which == 0 ? 13 : 0;
  return BLAS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDA_VERSION; }

const char *cublasGetStatusName(int status) {
  static const char *const names[] = {
      [BLAS_SUCCESS] = "CUBLAS_STATUS_SUCCESS",
      [BLAS_NOT_INITIALIZED] = "CUBLAS_STATUS_NOT_INITIALIZED",
      [BLAS_ALLOC_FAILED] = "CUBLAS_STATUS_ALLOC_FAILED",
      [BLAS_INVALID_VALUE] = "CUBLAS_STATUS_INVALID_VALUE",
      [8] = "CUBLAS_STATUS_ARCH_MISMATCH",
      [11] = "CUBLAS_STATUS_MAPPING_ERROR",
      [BLAS_EXECUTION_FAILED] = "CUBLAS_STATUS_EXECUTION_FAILED",
      [BLAS_INTERNAL_ERROR] = "CUBLAS_STATUS_INTERNAL_ERROR",
      [BLAS_NOT_SUPPORTED] = "CUBLAS_STATUS_NOT_SUPPORTED",
      [16] = "CUBLAS_STATUS_LICENSE_ERROR",
  };
  const char *name = status >= 0 && status < (int)(sizeof names / sizeof *names) ? names[status] : NULL;
  return name ? name : "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(int status) { return cublasGetStatusName(status); }

// Kernels.

// type_name is what names of kernels call a type; NULL if they do not.
static const char *type_name(int type) {
  static const char *const names[] = {[R_32F] = "f32", [R_64F] = "f64", [R_16F] = "f16",  [C_32F] = "c32",
                                      [C_64F] = "c64", [R_16BF] = "bf16"};
  return type >= 0 && type < (int)(sizeof names / sizeof *names) ? names[type] : NULL;
}

// blas_kernel finds a kernel by its name and the types of its elements; NULL if there is none.
static hipFunction_t blas_kernel(const char *name, const char *type) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static hipModule_t module;
  char full[64];
  hipFunction_t f = NULL;
  snprintf(full, sizeof full, "%s_%s", name, type);
  pthread_mutex_lock(&lock);
  if (module || !hipModuleLoadData(&module, simtgdb_blas)) hipModuleGetFunction(&f, module, full);
  pthread_mutex_unlock(&lock);
  return f;
}

// blas_run runs a kernel with one argument.
static int blas_run(blas *b, const char *name, const char *type, dim3 grid, dim3 block, void *argument) {
  if (!grid.x || !grid.y || !grid.z) return BLAS_SUCCESS;
  hipFunction_t f = blas_kernel(name, type);
  if (!f) return BLAS_INTERNAL_ERROR;
  int error = hipModuleLaunchKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, b->stream,
                                    (void *[]){argument}, NULL);
  return error ? BLAS_EXECUTION_FAILED : BLAS_SUCCESS;
}

// The arguments of the kernels, as blas.cu has them.
typedef struct {
  const void *base;
  const void *const *list;
  long long column, stride;
} blas_matrix;

typedef struct {
  double value, imaginary;
  const void *at;
} blas_scalar;

// half_value is a number of 16 bits.
static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double v = exponent == 31 ? (fraction ? NAN : INFINITY)
                            : ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
  return bits >> 15 ? -v : v;
}

// scalar_of reads a scalar of a type, or leaves that to the kernel.
static blas_scalar scalar_of(const blas *b, const void *p, int type) {
  const float *f = p;
  const double *d = p;
  if (b->on_device) return (blas_scalar){.at = p};
  switch (type) {
  case R_64F: return (blas_scalar){*d};
  case C_64F: return (blas_scalar){d[0], d[1]};
  case C_32F: return (blas_scalar){f[0], f[1]};
  case R_32I: return (blas_scalar){*(const int *)p};
  case R_16F: return (blas_scalar){half_value(*(const uint16_t *)p)};
  }
  return (blas_scalar){*f};
}

static unsigned tiles(long long n, int size) { return (unsigned)((n + size - 1) / size); }

// Products of matrices.

typedef struct {
  int m, n, k, transposed_a, transposed_b;
  blas_scalar alpha, beta;
  blas_matrix a, b, c;
} blas_product;

// factor_types names the kernel for types of factors and of the result; NULL if there is none.
static const char *factor_types(int factors, int result) {
  static const struct {
    int factors, result;
    const char *name;
  } all[] = {{R_32F, R_32F, "f32_f32"},   {R_64F, R_64F, "f64_f64"},    {R_16F, R_16F, "f16_f16"},
             {R_16F, R_32F, "f16_f32"},   {R_16BF, R_16BF, "bf16_bf16"}, {R_16BF, R_32F, "bf16_f32"},
             {R_8I, R_32I, "s8_s32"},     {R_8I, R_32F, "s8_f32"},     {C_32F, C_32F, "c32_c32"},
             {C_64F, C_64F, "c64_c64"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].factors == factors && all[i].result == result) return all[i].name;
  return NULL;
}

// gemm multiplies as many matrices as a batch has.
static int gemm(blas *b, blas_product p, int transposed_a, int transposed_b, const void *alpha,
                const void *beta, int scalars, int type_a, int type_b, int type_c, int batch) {
  enum { TILE = 64, SIDE = 16, OP_C = 2 };
  static char said;
  if (!b) return BLAS_NOT_INITIALIZED;
  const char *types = factor_types(type_a, type_c);
  if (type_a != type_b || !types) return blas_missing("cublasGemmEx for its types", &said);
  p.transposed_a = transposed_a, p.transposed_b = transposed_b;
  if (p.m < 0 || p.n < 0 || p.k < 0 || batch < 0 || transposed_a < 0 || transposed_a > OP_C ||
      transposed_b < 0 || transposed_b > OP_C || !alpha || !beta)
    return BLAS_INVALID_VALUE;
  if (p.a.column < (p.transposed_a ? p.k : p.m) || p.b.column < (p.transposed_b ? p.n : p.k) ||
      p.c.column < p.m)
    return BLAS_INVALID_VALUE;
  p.alpha = scalar_of(b, alpha, scalars), p.beta = scalar_of(b, beta, scalars);
  enum { AT_ONCE = 65535 };
  blas_matrix *all[] = {&p.a, &p.b, &p.c};
  const int of[] = {type_a, type_b, type_c};
  for (int done = 0; done < batch; done += AT_ONCE) {
    int now = batch - done < AT_ONCE ? batch - done : AT_ONCE;
    dim3 grid = {tiles(p.m, TILE), tiles(p.n, TILE), (unsigned)now};
    int error = blas_run(b, "gemm", types, grid, (dim3){SIDE, SIDE, 1}, &p);
    if (error) return error;
    for (int i = 0; i < 3; i++) {
      if (all[i]->list) all[i]->list += now;
      else all[i]->base = (const char *)all[i]->base + now * all[i]->stride * size_of_type(of[i]);
    }
  }
  return BLAS_SUCCESS;
}

// scalars_of is the type of the scalars of a computation, cublasComputeType_t, or, as version 10 had it, a
// type.
static int scalars_of(int compute, int result) {
  enum { BY_16F = 64, BY_16F_PEDANTIC, BY_64F = 70, BY_64F_PEDANTIC, BY_32I, BY_32I_PEDANTIC };
  if (result == C_32F || result == C_64F) return result;
  switch (compute) {
  case BY_16F:
  case BY_16F_PEDANTIC: return R_16F;
  case BY_64F:
  case BY_64F_PEDANTIC: return R_64F;
  case BY_32I:
  case BY_32I_PEDANTIC: return R_32I;
  case R_64F:
  case R_16F:
  case R_32I: return compute;
  }
  return R_32F;
}

#define GEMM_HEAD blas *b, int ta, int tb, int m, int n, int k, const void *alpha
#define PRODUCT(...) ((blas_product){.m = m, .n = n, .k = k, __VA_ARGS__})

int cublasGemmEx(GEMM_HEAD, const void *A, int at, int lda, const void *B, int bt, int ldb, const void *beta,
                 void *C, int ct, int ldc, int compute, int algorithm) {
  (void)algorithm;
  return gemm(b, PRODUCT(.a = {A, NULL, lda}, .b = {B, NULL, ldb}, .c = {C, NULL, ldc}), ta, tb, alpha, beta,
              scalars_of(compute, ct), at, bt, ct, 1);
}

int cublasSgemmEx(GEMM_HEAD, const void *A, int at, int lda, const void *B, int bt, int ldb, const void *beta,
                  void *C, int ct, int ldc) {
  return gemm(b, PRODUCT(.a = {A, NULL, lda}, .b = {B, NULL, ldb}, .c = {C, NULL, ldc}), ta, tb, alpha, beta,
              R_32F, at, bt, ct, 1);
}

int cublasGemmStridedBatchedEx(GEMM_HEAD, const void *A, int at, int lda, long long sa, const void *B, int bt,
                               int ldb, long long sb, const void *beta, void *C, int ct, int ldc,
                               long long sc, int batch, int compute, int algorithm) {
  (void)algorithm;
  return gemm(b, PRODUCT(.a = {A, NULL, lda, sa}, .b = {B, NULL, ldb, sb}, .c = {C, NULL, ldc, sc}), ta, tb,
              alpha, beta, scalars_of(compute, ct), at, bt, ct, batch);
}

int cublasGemmBatchedEx(GEMM_HEAD, const void *const *A, int at, int lda, const void *const *B, int bt,
                        int ldb, const void *beta, void *const *C, int ct, int ldc, int batch, int compute,
                        int algorithm) {
  (void)algorithm;
  return gemm(b, PRODUCT(.a = {NULL, A, lda}, .b = {NULL, B, ldb}, .c = {NULL, (const void *const *)C, ldc}),
              ta, tb, alpha, beta, scalars_of(compute, ct), at, bt, ct, batch);
}

#define GEMM_OF(X, type)                                                                                     \
  int cublas##X##gemm_v2(GEMM_HEAD, const void *A, int lda, const void *B, int ldb, const void *beta,        \
                         void *C, int ldc) {                                                                 \
    return gemm(b, PRODUCT(.a = {A, NULL, lda}, .b = {B, NULL, ldb}, .c = {C, NULL, ldc}), ta, tb, alpha,    \
                beta, type, type, type, type, 1);                                                            \
  }                                                                                                          \
  int cublas##X##gemmStridedBatched(GEMM_HEAD, const void *A, int lda, long long sa, const void *B, int ldb, \
                                    long long sb, const void *beta, void *C, int ldc, long long sc,          \
                                    int batch) {                                                             \
    return gemm(b, PRODUCT(.a = {A, NULL, lda, sa}, .b = {B, NULL, ldb, sb}, .c = {C, NULL, ldc, sc}), ta,   \
                tb, alpha, beta, type, type, type, type, batch);                                             \
  }                                                                                                          \
  int cublas##X##gemmBatched(GEMM_HEAD, const void *const *A, int lda, const void *const *B, int ldb,        \
                             const void *beta, void *const *C, int ldc, int batch) {                         \
    return gemm(b,                                                                                           \
                PRODUCT(.a = {NULL, A, lda}, .b = {NULL, B, ldb}, .c = {NULL, (const void *const *)C, ldc}), \
                ta, tb, alpha, beta, type, type, type, type, batch);                                         \
  }
GEMM_OF(S, R_32F)
GEMM_OF(D, R_64F)
GEMM_OF(H, R_16F)
GEMM_OF(C, C_32F)
GEMM_OF(Z, C_64F)
extern __typeof__(cublasHgemm_v2) cublasHgemm __attribute__((alias("cublasHgemm_v2")));

// Triangular systems.

typedef struct {
  int right, upper, transposed, unit, m, n;
  blas_scalar alpha;
  blas_matrix a, b;
} blas_triangular;

static int trsm(blas *b, blas_triangular p, const void *alpha, int type, int batch) {
  enum { THREADS = 64 };
  if (!b) return BLAS_NOT_INITIALIZED;
  if (p.m < 0 || p.n < 0 || batch < 0 || !alpha || p.a.column < (p.right ? p.n : p.m) || p.b.column < p.m)
    return BLAS_INVALID_VALUE;
  p.transposed = p.transposed != 0;
  p.alpha = scalar_of(b, alpha, type);
  dim3 grid = {tiles(p.right ? p.m : p.n, THREADS), 1, (unsigned)batch};
  return blas_run(b, "trsm", type == R_64F ? "f64" : "f32", grid, (dim3){THREADS, 1, 1}, &p);
}

#define TRSM_OF(X, type)                                                                                     \
  int cublas##X##trsm_v2(blas *b, int right, int upper, int ta, int unit, int m, int n, const void *alpha,   \
                         const void *A, int lda, void *B, int ldb) {                                         \
    return trsm(b,                                                                                           \
                (blas_triangular){right, upper, ta, unit, m, n, .a = {A, NULL, lda}, .b = {B, NULL, ldb}},   \
                alpha, type, 1);                                                                             \
  }                                                                                                          \
  int cublas##X##trsmBatched(blas *b, int right, int upper, int ta, int unit, int m, int n,                  \
                             const void *alpha, const void *const *A, int lda, void *const *B, int ldb,      \
                             int batch) {                                                                    \
    return trsm(b,                                                                                           \
                (blas_triangular){right, upper, ta, unit, m, n, .a = {NULL, A, lda},                         \
                                  .b = {NULL, (const void *const *)B, ldb}},                                 \
                alpha, type, batch);                                                                         \
  }
TRSM_OF(S, R_32F)
TRSM_OF(D, R_64F)

// Vectors.

typedef struct {
  int n;
  blas_scalar alpha;
  const void *x;
  long long x_next;
  void *y;
  long long y_next;
  void *result;
} blas_vectors;

// first_of is where element 0 is: of a vector that goes backwards, at its end.
static void *first_of(const void *p, int n, int next, int type) {
  return next < 0 ? (char *)p + (long long)(1 - n) * next * size_of_type(type) : (void *)p;
}

enum { VECTOR_THREADS = 256, VECTOR_GROUPS = 64 };

static int on_vectors_by(blas *b, const char *name, int n, const void *alpha, int alpha_type, const void *x,
                         int x_next, void *y, int y_next, int type) {
  if (!b) return BLAS_NOT_INITIALIZED;
  if (n <= 0) return BLAS_SUCCESS;
  blas_vectors p = {n, .x = first_of(x, n, x_next, type), .x_next = x_next};
  p.y = y ? first_of(y, n, y_next, type) : (void *)p.x;
  p.y_next = y ? y_next : x_next;
  if (alpha) p.alpha = scalar_of(b, alpha, alpha_type);
  unsigned groups = tiles(n, VECTOR_THREADS);
  return blas_run(b, name, type_name(type), (dim3){groups < VECTOR_GROUPS ? groups : VECTOR_GROUPS, 1, 1},
                  (dim3){VECTOR_THREADS, 1, 1}, &p);
}

static int on_vectors(blas *b, const char *name, int n, const void *alpha, const void *x, int x_next, void *y,
                      int y_next, int type) {
  return on_vectors_by(b, name, n, alpha, type, x, x_next, y, y_next, type);
}

// of_vectors is a number of size bytes that comes of vectors.
static int of_vectors(blas *b, const char *name, int n, const void *x, int x_next, const void *y, int y_next,
                      int type, void *out, size_t size) {
  if (!b || !out) return b ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
  if (n <= 0) {
    if (!b->on_device) memset(out, 0, size);
    return b->on_device && hipMemset(out, 0, size) ? BLAS_EXECUTION_FAILED : BLAS_SUCCESS;
  }
  blas_vectors p = {n, .x = first_of(x, n, x_next, type), .x_next = x_next, .y_next = y_next,
                    .result = b->on_device ? out : b->result};
  if (y) p.y = first_of(y, n, y_next, type);
  int error = blas_run(b, name, type_name(type), (dim3){1, 1, 1}, (dim3){VECTOR_THREADS, 1, 1}, &p);
  if (error || b->on_device) return error;
  if (hipMemcpyAsync(out, b->result, size, DEVICE_TO_HOST, b->stream) || hipStreamSynchronize(b->stream))
    return BLAS_EXECUTION_FAILED;
  return BLAS_SUCCESS;
}

#define VECTORS_OF(X, type, T)                                                                               \
  int cublas##X##axpy_v2(blas *b, int n, const T *alpha, const T *x, int xn, T *y, int yn) {                 \
    return alpha ? on_vectors(b, "axpy", n, alpha, x, xn, y, yn, type) : BLAS_INVALID_VALUE;                 \
  }                                                                                                          \
  int cublas##X##scal_v2(blas *b, int n, const T *alpha, T *x, int xn) {                                     \
    if (xn <= 0) return BLAS_SUCCESS;                                                                        \
    return alpha ? on_vectors(b, "scal", n, alpha, x, xn, NULL, 0, type) : BLAS_INVALID_VALUE;               \
  }                                                                                                          \
  int cublas##X##copy_v2(blas *b, int n, const T *x, int xn, T *y, int yn) {                                 \
    return on_vectors(b, "copy", n, NULL, x, xn, y, yn, type);                                               \
  }                                                                                                          \
  int cublas##X##swap_v2(blas *b, int n, T *x, int xn, T *y, int yn) {                                       \
    return on_vectors(b, "swap", n, NULL, x, xn, y, yn, type);                                               \
  }
#define DOT_OF(Name, kernel, type, T)                                                                        \
  int cublas##Name##_v2(blas *b, int n, const T *x, int xn, const T *y, int yn, T *out) {                    \
    return of_vectors(b, kernel, n, x, xn, y, yn, type, out, sizeof *out);                                   \
  }
#define SIZE_OF(Name, kernel, type, T)                                                                       \
  int cublas##Name##_v2(blas *b, int n, const void *x, int xn, T *out) {                                     \
    return of_vectors(b, kernel, n, x, xn, NULL, 0, type, out, sizeof *out);                                 \
  }
typedef struct { float x, y; } blas_complex;
typedef struct { double x, y; } blas_double_complex;
VECTORS_OF(C, C_32F, blas_complex)
VECTORS_OF(Z, C_64F, blas_double_complex)
DOT_OF(Sdot, "dot", R_32F, float)
DOT_OF(Ddot, "dot", R_64F, double)
DOT_OF(Cdotu, "dot", C_32F, blas_complex)
DOT_OF(Zdotu, "dot", C_64F, blas_double_complex)
DOT_OF(Cdotc, "dotc", C_32F, blas_complex)
DOT_OF(Zdotc, "dotc", C_64F, blas_double_complex)
SIZE_OF(Snrm2, "nrm2", R_32F, float)
SIZE_OF(Dnrm2, "nrm2", R_64F, double)
SIZE_OF(Scnrm2, "nrm2", C_32F, float)
SIZE_OF(Dznrm2, "nrm2", C_64F, double)
SIZE_OF(Sasum, "asum", R_32F, float)
SIZE_OF(Dasum, "asum", R_64F, double)
VECTORS_OF(S, R_32F, float)
VECTORS_OF(D, R_64F, double)

// The forms that say their types. What is computed is of the vectors' type, or, where that is small, of
// floats.

static int same_types(int x, int y, int by, const void *name, char *said) {
  int small = x == R_16F || x == R_16BF;
  if (x == y && type_name(x) && (by == x || (small && by == R_32F))) return BLAS_SUCCESS;
  return blas_missing(name, said);
}

// A scalar on the device is read as a float by kernels for small numbers.
static int scalar_type(const blas *b, int type, int x, const void *name, char *said) {
  if (type == x && !(b && b->on_device && (x == R_16F || x == R_16BF))) return BLAS_SUCCESS;
  return type == R_32F && (x == R_16F || x == R_16BF) ? BLAS_SUCCESS : blas_missing(name, said);
}

int cublasAxpyEx(blas *b, int n, const void *alpha, int alpha_type, const void *x, int xt, int xn, void *y,
                 int yt, int yn, int by) {
  static char said;
  int error = same_types(xt, yt, by, "cublasAxpyEx for its types", &said);
  if (!error) error = scalar_type(b, alpha_type, xt, "cublasAxpyEx for its types", &said);
  if (error || !alpha) return error ? error : BLAS_INVALID_VALUE;
  return on_vectors_by(b, "axpy", n, alpha, alpha_type, x, xn, y, yn, xt);
}

int cublasScalEx(blas *b, int n, const void *alpha, int alpha_type, void *x, int xt, int xn, int by) {
  static char said;
  int error = same_types(xt, xt, by, "cublasScalEx for its types", &said);
  if (!error) error = scalar_type(b, alpha_type, xt, "cublasScalEx for its types", &said);
  if (error || !alpha) return error ? error : BLAS_INVALID_VALUE;
  if (xn <= 0) return BLAS_SUCCESS;
  return on_vectors_by(b, "scal", n, alpha, alpha_type, x, xn, NULL, 0, xt);
}

static int dot_by_types(blas *b, const char *kernel, int n, const void *x, int xt, int xn, const void *y,
                        int yt, int yn, void *out, int type, int by) {
  static char said;
  int error = type == xt ? same_types(xt, yt, by, "cublasDotEx for its types", &said)
                         : blas_missing("cublasDotEx for its types", &said);
  return error ? error : of_vectors(b, kernel, n, x, xn, y, yn, xt, out, size_of_type(xt));
}

int cublasDotEx(blas *b, int n, const void *x, int xt, int xn, const void *y, int yt, int yn, void *out,
                int type, int by) {
  return dot_by_types(b, "dot", n, x, xt, xn, y, yt, yn, out, type, by);
}

int cublasDotcEx(blas *b, int n, const void *x, int xt, int xn, const void *y, int yt, int yn, void *out,
                 int type, int by) {
  return dot_by_types(b, xt == C_32F || xt == C_64F ? "dotc" : "dot", n, x, xt, xn, y, yt, yn, out, type, by);
}

int cublasNrm2Ex(blas *b, int n, const void *x, int xt, int xn, void *out, int type, int by) {
  static char said;
  int real = xt == C_32F ? R_32F : xt == C_64F ? R_64F : xt;
  int error = type == real && (by == real || by == xt || by == R_32F) && type_name(xt)
                  ? BLAS_SUCCESS : blas_missing("cublasNrm2Ex for its types", &said);
  return error ? error : of_vectors(b, "nrm2", n, x, xn, NULL, 0, xt, out, size_of_type(real));
}

#define PLACES_OF(name, kernel, type)                                                   \
  int name(blas *b, int n, const void *x, int xn, int *out) {                           \
    return of_vectors(b, kernel, xn > 0 ? n : 0, x, xn, NULL, 0, type, out, sizeof *out); \
  }
PLACES_OF(cublasIsamax_v2, "amax", R_32F)
PLACES_OF(cublasIdamax_v2, "amax", R_64F)
PLACES_OF(cublasIsamin_v2, "amin", R_32F)
PLACES_OF(cublasIdamin_v2, "amin", R_64F)

// A matrix and vectors.

// Copies between the host and the device.

static int blas_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, hipStream_t s) {
  if (hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, s)) return BLAS_EXECUTION_FAILED;
  return s || !hipStreamSynchronize(s) ? BLAS_SUCCESS : BLAS_EXECUTION_FAILED;
}

#define COPIES(Name, kind)                                                                                   \
  int cublas##Name##MatrixAsync(int rows, int columns, int size, const void *A, int lda, void *B, int ldb,   \
                                hipStream_t s) {                                                             \
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows) return BLAS_INVALID_VALUE;         \
    return blas_copy(B, (size_t)ldb * size, A, (size_t)lda * size, (size_t)rows * size, columns, kind, s);   \
  }                                                                                                          \
  int cublas##Name##Matrix(int rows, int columns, int size, const void *A, int lda, void *B, int ldb) {      \
    return cublas##Name##MatrixAsync(rows, columns, size, A, lda, B, ldb, NULL);                             \
  }                                                                                                          \
  int cublas##Name##VectorAsync(int n, int size, const void *x, int xn, void *y, int yn, hipStream_t s) {    \
    if (n < 0 || size <= 0 || xn <= 0 || yn <= 0) return BLAS_INVALID_VALUE;                                 \
    return blas_copy(y, (size_t)yn * size, x, (size_t)xn * size, size, n, kind, s);                          \
  }                                                                                                          \
  int cublas##Name##Vector(int n, int size, const void *x, int xn, void *y, int yn) {                        \
    return cublas##Name##VectorAsync(n, size, x, xn, y, yn, NULL);                                           \
  }
COPIES(Set, HOST_TO_DEVICE)
COPIES(Get, DEVICE_TO_HOST)
