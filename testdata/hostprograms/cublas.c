// A host program of cuBLAS, linked with libcudart and libcublas by versions of their symbols. What it computes it
// computes by itself too.
#include "expect.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct handle *blas;
int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaFree(void *);
int cublasCreate_v2(blas *), cublasDestroy_v2(blas), cublasSetPointerMode_v2(blas, int), cublasSetMathMode(blas, int);
int cublasSgemm_v2(), cublasDgemm_v2(), cublasGemmEx(), cublasSgemmBatched(), cublasGemmStridedBatchedEx(),
    cublasStrsmBatched(), cublasSaxpy_v2(), cublasSscal_v2(), cublasSdot_v2(), cublasDnrm2_v2(), cublasSasum_v2(),
    cublasIsamax_v2(), cublasSgemv_v2(), cublasSger_v2(), cublasScopy_v2(), cublasSswap_v2(), cublasSsyrk_v2();
const char *cublasGetStatusString(int);

enum { TO_DEVICE = 1, TO_HOST, R_32F = 0, R_16F = 2, R_8I = 3, R_32I = 10, R_16BF = 14, COMPUTE_32F = 68, COMPUTE_32I = 72 };

static void *device(const void *from, size_t size) {
  void *p;
  OK(cudaMalloc(&p, size));
  OK(cudaMemcpy(p, from, size, TO_DEVICE));
  return p;
}

static unsigned state = 12345;
static int small(void) { return (int)((state = state * 1103515245 + 12345) >> 16) % 7 - 3; }

// as_type is a small number in a type.
static void as_type(void *to, int i, int type, float v) {
  uint32_t b;
  memcpy(&b, &v, 4);
  switch (type) {
  case R_32F: ((float *)to)[i] = v; break;
  case R_8I: ((int8_t *)to)[i] = (int8_t)v; break;
  case R_32I: ((int *)to)[i] = (int)v; break;
  case R_16BF: ((uint16_t *)to)[i] = (uint16_t)(b >> 16); break;
  case R_16F: ((uint16_t *)to)[i] = v == 0 ? 0 : (uint16_t)((b >> 16 & 0x8000) | ((b & 0x7fffffff) - (112u << 23)) >> 13);
  }
}

static int size_of(int type) { return type == R_8I ? 1 : type == R_16F || type == R_16BF ? 2 : 4; }

enum { M = 70, NN = 19, K = 37, LDA = 80, LDB = 81, LDC = 72, BATCH = 3 };

// product checks C = 2 op(A) op(B) - C for a batch of matrices that lie behind each other.
static void product(blas h, int ta, int tb, int type, int out, int compute) {
  static float a[BATCH][LDA * 80], b[BATCH][LDB * 80], c[BATCH][LDC * NN];
  static char at[sizeof a], bt[sizeof b], ct[sizeof c], want[sizeof c];
  for (int i = 0; i < BATCH * LDA * 80; i++) as_type(at, i, type, a[0][i] = small());
  for (int i = 0; i < BATCH * LDB * 80; i++) as_type(bt, i, type, b[0][i] = small());
  for (int i = 0; i < BATCH * LDC * NN; i++) as_type(ct, i, out, c[0][i] = small()), as_type(want, i, out, c[0][i]);
  for (int s = 0; s < BATCH; s++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < NN; j++) {
        float sum = 0;
        for (int k = 0; k < K; k++)
          sum += (ta ? a[s][i * LDA + k] : a[s][k * LDA + i]) * (tb ? b[s][k * LDB + j] : b[s][j * LDB + k]);
        as_type(want, s * LDC * NN + j * LDC + i, out, 2 * sum - c[s][j * LDC + i]);
      }
  void *da = device(at, sizeof at), *db = device(bt, sizeof bt), *dc = device(ct, sizeof ct);
  float alpha = 2, beta = -1;
  int ialpha = 2, ibeta = -1;
  const void *x = compute == COMPUTE_32I ? (void *)&ialpha : &alpha, *y = compute == COMPUTE_32I ? (void *)&ibeta : &beta;
  OK(cublasGemmStridedBatchedEx(h, ta, tb, M, NN, K, x, da, type, LDA, (long long)LDA * 80, db, type, LDB,
                                (long long)LDB * 80, y, dc, out, LDC, (long long)LDC * NN, BATCH, compute, 0));
  OK(cudaMemcpy(ct, dc, sizeof ct, TO_HOST));
  if (memcmp(ct, want, (size_t)BATCH * LDC * NN * size_of(out))) printf("%d %d %d %d differ\n", ta, tb, type, out), exit(1);
  cudaFree(da), cudaFree(db), cudaFree(dc);
}

static void lists(blas h) {
  float a[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, b[2][4] = {{1, 0, 0, 1}, {0, 1, 1, 0}}, c[2][4] = {{0}}, alpha = 1, beta = 0;
  float nan = NAN;
  for (int i = 0; i < 8; i++) c[0][i] = nan; // beta 0 does not read it
  char *da = device(a, sizeof a), *db = device(b, sizeof b), *dc = device(c, sizeof c);
  void *pa[] = {da, da + 16}, *pb[] = {db, db + 16}, *pc[] = {dc, dc + 16};
  void *la = device(pa, sizeof pa), *lb = device(pb, sizeof pb), *lc = device(pc, sizeof pc);
  OK(cublasSgemmBatched(h, 0, 0, 2, 2, 2, &alpha, la, 2, lb, 2, &beta, lc, 2, 2));
  OK(cudaMemcpy(c, dc, sizeof c, TO_HOST));
  float want[2][4] = {{1, 2, 3, 4}, {7, 8, 5, 6}};
  for (int i = 0; i < 8; i++) expect("batched", c[0][i], want[0][i]);
  double d[4] = {1, 2, 3, 4}, e[4], one = 1, zero = 0;
  double *dd = device(d, sizeof d), *de = device(d, sizeof d);
  OK(cublasDgemm_v2(h, 1, 0, 2, 2, 2, &one, dd, 2, dd, 2, &zero, de, 2));
  OK(cudaMemcpy(e, de, sizeof e, TO_HOST));
  double square[] = {5, 11, 11, 25};
  for (int i = 0; i < 4; i++) expect("double", e[i], square[i]);
  IS(7, cublasDgemm_v2(h, 0, 0, 3, 2, 2, &one, dd, 2, dd, 2, &zero, de, 2)); // a column is longer than its distance
}

// triangles solves systems whose solutions are known.
static void triangles(blas h) {
  enum { S = 5, R = 4 };
  for (int form = 0; form < 16; form++) {
    int right = form & 1, upper = form >> 1 & 1, transposed = form >> 2 & 1, unit = form >> 3;
    float a[S * S], x[S * S], b[S * S], alpha = 2;
    int m = right ? R : S, n = right ? S : R;
    for (int i = 0; i < S * S; i++) a[i] = small();
    for (int i = 0; i < S; i++) a[i * S + i] = unit ? 99 : i % 2 ? 2 : -1; // not read if it is taken for 1
    for (int i = 0; i < m * n; i++) x[i] = small();
#define A(i, j) ((i) == (j) && unit ? 1 : (upper ? (i) > (j) : (i) < (j)) ? 0 : a[(j) * S + (i)])
#define OP(i, j) (transposed ? A(j, i) : A(i, j))
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < S; k++) sum += right ? x[k * m + i] * OP(k, j) : OP(i, k) * x[j * m + k];
        b[j * m + i] = sum / alpha;
      }
    void *da = device(a, sizeof a), *db = device(b, sizeof b), *la = device(&da, 8), *lb = device(&db, 8);
    OK(cublasStrsmBatched(h, right, upper, transposed, unit, m, n, &alpha, la, S, lb, m, 1));
    OK(cudaMemcpy(b, db, sizeof b, TO_HOST));
    for (int i = 0; i < m * n; i++) expect("triangular", b[i], x[i]);
  }
}

static void vectors(blas h) {
  enum { LONG = 1000 };
  float x[LONG], y[LONG], alpha = 3, sum = 0, total = 0, out;
  double d[LONG], root;
  for (int i = 0; i < LONG; i++) x[i] = small(), y[i] = small(), d[i] = i == 7 ? 3 : i == 500 ? -4 : 0;
  x[612] = -50, x[700] = 50;
  for (int i = 0; i < LONG; i++) sum += x[i] * y[i], total += fabsf(x[i]);
  float *dx = device(x, sizeof x), *dy = device(y, sizeof y);
  double *dd = device(d, sizeof d);
  int place;
  OK(cublasSdot_v2(h, LONG, dx, 1, dy, 1, &out));
  expect("dot", out, sum);
  OK(cublasSasum_v2(h, LONG, dx, 1, &out));
  expect("asum", out, total);
  OK(cublasDnrm2_v2(h, LONG, dd, 1, &root));
  expect("nrm2", root, 5);
  OK(cublasIsamax_v2(h, LONG, dx, 1, &place));
  expect("amax", place, 613);
  OK(cublasSaxpy_v2(h, LONG / 2, &alpha, dx, 2, dy, -1)); // the second goes backwards
  OK(cudaMemcpy(d, dy, sizeof y, TO_HOST));
  for (int i = 0; i < LONG / 2; i++) expect("axpy", ((float *)d)[LONG / 2 - 1 - i], y[LONG / 2 - 1 - i] + 3 * x[2 * i]);
  OK(cublasSetPointerMode_v2(h, 1));
  float *scalar = device(&alpha, sizeof alpha);
  OK(cublasSscal_v2(h, LONG, scalar, dx, 1));
  OK(cublasSdot_v2(h, 1, dx, 1, dx, 1, scalar));
  OK(cublasSetPointerMode_v2(h, 0));
  OK(cudaMemcpy(&out, scalar, sizeof out, TO_HOST));
  expect("scalars on the device", out, 9 * x[0] * x[0]);
  float a[6] = {1, 2, 3, 4, 5, 6}, v[3] = {1, -1, 2}, w[3] = {10, 20, 30}, beta = 1;
  float *da = device(a, sizeof a), *dv = device(v, sizeof v), *dw = device(w, sizeof w);
  OK(cublasSgemv_v2(h, 0, 2, 3, &alpha, da, 2, dv, 1, &beta, dw, 1));
  OK(cublasSgemv_v2(h, 1, 2, 1, &alpha, da, 2, dv, 1, &beta, dw + 2, 1));
  OK(cudaMemcpy(w, dw, sizeof w, TO_HOST));
  expect("gemv", w[0], 10 + 3 * 8), expect("gemv", w[1], 20 + 3 * 10), expect("transposed", w[2], 30 + 3 * -1);
  OK(cublasSger_v2(h, 2, 3, &alpha, dv, 1, dv, 1, da, 2));
  OK(cublasScopy_v2(h, 3, da, 2, dw, 1));
  OK(cublasSswap_v2(h, 3, dv, 1, dw, 1));
  OK(cudaMemcpy(w, dv, sizeof w, TO_HOST));
  for (int i = 0; i < 3; i++) expect("ger", w[i], a[2 * i] + 3 * v[0] * v[i]);
}

int main() {
  blas h;
  OK(cublasCreate_v2(&h));
  OK(cublasSetMathMode(h, 3));
  for (int t = 0; t < 4; t++) product(h, t & 1, t >> 1, R_32F, R_32F, COMPUTE_32F);
  static const int types[][3] = {{R_16F, R_16F, COMPUTE_32F}, {R_16F, R_32F, COMPUTE_32F}, {R_16BF, R_16BF, COMPUTE_32F},
                                 {R_16BF, R_32F, COMPUTE_32F}, {R_8I, R_32I, COMPUTE_32I}, {R_8I, R_32F, COMPUTE_32F}};
  for (int i = 0; i < 6; i++) product(h, i & 1, 1, types[i][0], types[i][1], types[i][2]);
  lists(h);
  triangles(h);
  vectors(h);
  IS(15, cublasSsyrk_v2());
  puts(cublasGetStatusString(15));
  OK(cublasDestroy_v2(h));
  printf("cublas: done\n");
}
