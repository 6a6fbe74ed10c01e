// cuBLAS, of matrices and vectors, of two matrices, and of batches of small systems.
#include "hip.h"

// A matrix and vectors, which are matrices whose columns are elements.

typedef struct {
  int m, n, transposed;
  blas_scalar alpha, beta;
  blas_matrix a, x, y;
} blas_matrix_vector;

static int gemv(blas *b, blas_matrix_vector p, const void *alpha, const void *beta, int type, int batch) {
  enum { MOST = 65535 };
  if (!b) return BLAS_NOT_INITIALIZED;
  if (p.m < 0 || p.n < 0 || p.a.column < p.m || !p.x.column || !p.y.column || !alpha || !beta || batch < 0 ||
      batch > MOST)
    return BLAS_INVALID_VALUE;
  p.alpha = scalar_of(b, alpha, type), p.beta = scalar_of(b, beta, type);
  if (p.x.base) p.x.base = first_of(p.x.base, p.transposed ? p.m : p.n, (int)p.x.column, type);
  if (p.y.base) p.y.base = first_of(p.y.base, p.transposed ? p.n : p.m, (int)p.y.column, type);
  dim3 grid = {tiles(p.transposed ? p.n : p.m, VECTOR_THREADS), (unsigned)batch, 1};
  return blas_run(b, "gemv", type_name(type), grid, (dim3){VECTOR_THREADS, 1, 1}, &p);
}

#define GEMV_OF(X, type)                                                                                     \
  int cublas##X##gemv_v2(blas *b, int ta, int m, int n, const void *alpha, const void *A, int lda,           \
                         const void *x, int xn, const void *beta, void *y, int yn) {                         \
    return gemv(b,                                                                                           \
                (blas_matrix_vector){m, n, ta, .a = {A, NULL, lda}, .x = {x, NULL, xn}, .y = {y, NULL, yn}}, \
                alpha, beta, type, 1);                                                                       \
  }                                                                                                          \
  int cublas##X##gemvStridedBatched(blas *b, int ta, int m, int n, const void *alpha, const void *A,         \
                                    int lda, long long sa, const void *x, int xn, long long sx,              \
                                    const void *beta, void *y, int yn, long long sy, int batch) {            \
    return gemv(b,                                                                                           \
                (blas_matrix_vector){m, n, ta, .a = {A, NULL, lda, sa}, .x = {x, NULL, xn, sx},              \
                                     .y = {y, NULL, yn, sy}},                                                \
                alpha, beta, type, batch);                                                                   \
  }                                                                                                          \
  int cublas##X##gemvBatched(blas *b, int ta, int m, int n, const void *alpha, const void *const *A,         \
                             int lda, const void *const *x, int xn, const void *beta, void *const *y,        \
                             int yn, int batch) {                                                            \
    if (xn < 0 || yn < 0)                                                                                    \
      return blas_missing("cublas" #X "gemvBatched of vectors that go backwards", &gemv_said);               \
    return gemv(b,                                                                                           \
                (blas_matrix_vector){m, n, ta, .a = {NULL, A, lda}, .x = {NULL, x, xn},                      \
                                     .y = {NULL, (const void *const *)y, yn}},                               \
                alpha, beta, type, batch);                                                                   \
  }
static char gemv_said;
GEMV_OF(S, R_32F)
GEMV_OF(D, R_64F)
GEMV_OF(C, C_32F)
GEMV_OF(Z, C_64F)

static int ger(blas *b, blas_matrix_vector p, const void *alpha, int type) {
  if (!b) return BLAS_NOT_INITIALIZED;
  if (p.m < 0 || p.n < 0 || p.a.column < p.m || !p.x.column || !p.y.column || !alpha)
    return BLAS_INVALID_VALUE;
  p.alpha = scalar_of(b, alpha, type);
  p.x.base = first_of(p.x.base, p.m, (int)p.x.column, type);
  p.y.base = first_of(p.y.base, p.n, (int)p.y.column, type);
  return blas_run(b, "ger", type_name(type), (dim3){tiles(p.m, VECTOR_THREADS), (unsigned)p.n, 1},
                  (dim3){VECTOR_THREADS, 1, 1}, &p);
}

#define GER_OF(X, type)                                                                                      \
  int cublas##X##ger_v2(blas *b, int m, int n, const void *alpha, const void *x, int xn, const void *y,      \
                        int yn, void *A, int lda) {                                                          \
    return ger(b, (blas_matrix_vector){m, n, .a = {A, NULL, lda}, .x = {x, NULL, xn}, .y = {y, NULL, yn}},   \
               alpha, type);                                                                                 \
  }
GER_OF(S, R_32F)
GER_OF(D, R_64F)

// Two matrices, and a matrix and a diagonal.

typedef struct {
  int m, n, transposed_a, transposed_b;
  blas_scalar alpha, beta;
  blas_matrix a, b, c;
} blas_matrices;

static int of_matrices(blas *b, const char *kernel, blas_matrices *p, int type) {
  if (p->m < 0 || p->n < 0 || p->c.column < p->m) return BLAS_INVALID_VALUE;
  return blas_run(b, kernel, type_name(type), (dim3){tiles(p->m, VECTOR_THREADS), (unsigned)p->n, 1},
                  (dim3){VECTOR_THREADS, 1, 1}, p);
}

static int geam(blas *b, blas_matrices p, const void *alpha, const void *beta, int type) {
  if (!b) return BLAS_NOT_INITIALIZED;
  if (!alpha || !beta || p.a.column < (p.transposed_a ? p.n : p.m) ||
      p.b.column < (p.transposed_b ? p.n : p.m))
    return BLAS_INVALID_VALUE;
  // What lies where the result does has to lie as that does.
  if ((p.c.base == p.a.base && (p.transposed_a || p.a.column != p.c.column)) ||
      (p.c.base == p.b.base && (p.transposed_b || p.b.column != p.c.column)))
    return BLAS_INVALID_VALUE;
  p.alpha = scalar_of(b, alpha, type), p.beta = scalar_of(b, beta, type);
  return of_matrices(b, "geam", &p, type);
}

static int dgmm(blas *b, blas_matrices p, int type) {
  if (!b) return BLAS_NOT_INITIALIZED;
  if (p.a.column < p.m) return BLAS_INVALID_VALUE;
  p.b.base = first_of(p.b.base, p.transposed_b ? p.m : p.n, (int)p.b.column, type);
  return of_matrices(b, "dgmm", &p, type);
}

#define MATRICES_OF(X, type)                                                                                 \
  int cublas##X##geam(blas *b, int ta, int tb, int m, int n, const void *alpha, const void *A, int lda,      \
                      const void *beta, const void *B, int ldb, void *C, int ldc) {                          \
    return geam(b,                                                                                           \
                (blas_matrices){m, n, ta, tb, .a = {A, NULL, lda}, .b = {B, NULL, ldb},                      \
                                .c = {C, NULL, ldc}},                                                        \
                alpha, beta, type);                                                                          \
  }                                                                                                          \
  int cublas##X##dgmm(blas *b, int right, int m, int n, const void *A, int lda, const void *x, int xn,       \
                      void *C, int ldc) {                                                                    \
    return dgmm(b,                                                                                           \
                (blas_matrices){m, n, 0, !right, .a = {A, NULL, lda}, .b = {x, NULL, xn},                    \
                                .c = {C, NULL, ldc}},                                                        \
                type);                                                                                       \
  }
MATRICES_OF(S, R_32F)
MATRICES_OF(D, R_64F)
MATRICES_OF(C, C_32F)
MATRICES_OF(Z, C_64F)

typedef struct {
  int upper, transposed, n, k;
  blas_scalar alpha, beta;
  blas_matrix a, c;
} blas_symmetric;

static int syrk(blas *b, blas_symmetric p, const void *alpha, const void *beta, int type) {
  if (!b) return BLAS_NOT_INITIALIZED;
  if (p.n < 0 || p.k < 0 || !alpha || !beta || p.a.column < (p.transposed ? p.k : p.n) || p.c.column < p.n)
    return BLAS_INVALID_VALUE;
  p.transposed = p.transposed != 0;
  p.alpha = scalar_of(b, alpha, type), p.beta = scalar_of(b, beta, type);
  return blas_run(b, "syrk", type_name(type), (dim3){tiles(p.n, VECTOR_THREADS), (unsigned)p.n, 1},
                  (dim3){VECTOR_THREADS, 1, 1}, &p);
}

#define SYRK_OF(X, type)                                                                                     \
  int cublas##X##syrk_v2(blas *b, int upper, int ta, int n, int k, const void *alpha, const void *A,         \
                         int lda, const void *beta, void *C, int ldc) {                                      \
    return syrk(b, (blas_symmetric){upper, ta, n, k, .a = {A, NULL, lda}, .c = {C, NULL, ldc}}, alpha, beta, \
                type);                                                                                       \
  }
SYRK_OF(S, R_32F)
SYRK_OF(D, R_64F)

// Batches of small systems.

typedef struct {
  int n, columns, transposed, batch;
  blas_matrix a, b;
  int *rows, *info;
} blas_system;

static int on_systems(blas *b, const char *kernel, blas_system *p, int type) {
  enum { THREADS = 32 };
  if (!b) return BLAS_NOT_INITIALIZED;
  if (p->n < 0 || p->batch < 0 || p->columns < 0 || p->a.column < p->n) return BLAS_INVALID_VALUE;
  return blas_run(b, kernel, type_name(type), (dim3){tiles(p->batch, THREADS), (unsigned)p->columns, 1},
                  (dim3){THREADS, 1, 1}, p);
}

// getrs tells by a number of the host's what parameter is wrong.
static int getrs(blas *b, blas_system p, int *info, int type) {
  if (!b || !info) return b ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
  *info = p.n < 0 ? -2 : p.columns < 0 ? -3 : p.a.column < p.n ? -5 : p.b.column < p.n ? -8 : 0;
  if (!*info && p.batch < 0) *info = -10;
  p.transposed = p.transposed != 0;
  return *info ? BLAS_INVALID_VALUE : on_systems(b, "getrs", &p, type);
}

// getri inverts what is factored: the system's results are those of the unit matrix.
static int getri(blas *b, blas_system p, int type) {
  if (p.b.column < p.n || !p.info) return BLAS_INVALID_VALUE;
  return on_systems(b, "getrs", &p, type);
}

#define SYSTEMS_OF(X, type)                                                                                  \
  int cublas##X##getrfBatched(blas *b, int n, void *const *A, int lda, int *rows, int *info, int batch) {    \
    if (!info) return BLAS_INVALID_VALUE;                                                                    \
    return on_systems(b, "getrf",                                                                            \
                      &(blas_system){n, 1, 0, batch, .a = {NULL, (void *)A, lda}, .rows = rows,              \
                                     .info = info},                                                          \
                      type);                                                                                 \
  }                                                                                                          \
  int cublas##X##getrsBatched(blas *b, int ta, int n, int columns, const void *const *A, int lda,            \
                              const int *rows, void *const *B, int ldb, int *info, int batch) {              \
    return getrs(b,                                                                                          \
                 (blas_system){n, columns, ta, batch, .a = {NULL, A, lda}, .b = {NULL, (void *)B, ldb},      \
                               .rows = (int *)rows},                                                         \
                 info, type);                                                                                \
  }                                                                                                          \
  int cublas##X##getriBatched(blas *b, int n, const void *const *A, int lda, const int *rows,                \
                              void *const *C, int ldc, int *info, int batch) {                               \
    return getri(b,                                                                                          \
                 (blas_system){n, n, 0, batch, .a = {NULL, A, lda}, .b = {NULL, (void *)C, ldc},             \
                               .rows = (int *)rows, .info = info},                                           \
                 type);                                                                                      \
  }
SYSTEMS_OF(S, R_32F)
SYSTEMS_OF(D, R_64F)
