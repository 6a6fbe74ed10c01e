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
    cublasIsamax_v2(), cublasSgemv_v2(), cublasSger_v2(), cublasScopy_v2(), cublasSswap_v2(), cublasSsymm_v2(), cublasSsyrk_v2(), cublasSgeam(),
    cublasDdgmm(), cublasCgemm_v2(), cublasZgemm_v2(), cublasZdotc_v2(), cublasScnrm2_v2(), cublasCgeam(), cublasZaxpy_v2(),
    cublasAxpyEx(), cublasScalEx(), cublasDotEx(), cublasNrm2Ex(), cublasSgemvStridedBatched(), cublasCgemv_v2(),
    cublasDgetrfBatched(), cublasDgetrsBatched(), cublasDgetriBatched(), cublasSdot_v2_64(), cublasIdamax_v2_64();
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

static void get(void *to, const void *from, size_t size) { OK(cudaMemcpy(to, from, size, TO_HOST)); }

static void two_matrices(blas h) {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {7, 8, 9, 10, 11, 12}, c[6], alpha = 2, beta = -1, zero = 0;
  float *da = device(a, sizeof a), *db = device(b, sizeof b), *dc = device(a, sizeof c);
  OK(cublasSgeam(h, 1, 0, 2, 3, &alpha, da, 3, &beta, db, 2, dc, 2)); // of A transposed, 3 by 2
  get(c, dc, sizeof c);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) expect("geam", c[2 * j + i], 2 * a[3 * i + j] - b[2 * j + i]);
  OK(cublasSgeam(h, 0, 0, 3, 2, &alpha, da, 3, &zero, NULL, 3, da, 3)); // in place
  get(c, da, sizeof c);
  for (int i = 0; i < 6; i++) expect("in place", c[i], 2 * a[i]);
  IS(7, cublasSgeam(h, 1, 0, 2, 3, &alpha, da, 3, &beta, db, 2, da, 2));
  double d[6] = {1, 2, 3, 4, 5, 6}, x[4] = {10, 0, 100, 0}, e[6];
  double *dd = device(d, sizeof d), *dx = device(x, sizeof x), *de = device(d, sizeof d);
  OK(cublasDdgmm(h, 0, 2, 3, dd, 2, dx, 2, de, 2)); // diag(x) A
  get(e, de, sizeof e);
  for (int i = 0; i < 6; i++) expect("dgmm", e[i], d[i] * (i % 2 ? 100 : 10));
  OK(cublasDdgmm(h, 1, 3, 2, dd, 3, dx, -2, de, 3)); // A diag(x), from its end on
  get(e, de, sizeof e);
  for (int i = 0; i < 6; i++) expect("dgmm", e[i], d[i] * (i < 3 ? 100 : 10));
  OK(cublasSsyrk_v2(h, 1, 0, 2, 3, &alpha, db, 2, &beta, dc, 2));
  float s[6];
  get(s, dc, sizeof s), get(c, da, sizeof c);
  expect("syrk", s[0], 2 * (7 * 7 + 9 * 9 + 11 * 11) - (2 * a[0] - b[0]));
  expect("syrk", s[2], 2 * (7 * 8 + 9 * 10 + 11 * 12) - (2 * a[1] - b[2]));
  expect("the other triangle", s[1], 2 * a[3] - b[1]);
  float y[4], v[6] = {1, 0, 2, 3, 0, -1};
  float *dv = device(v, sizeof v), *dy = device(v, sizeof y);
  OK(cublasSgemvStridedBatched(h, 0, 2, 3, &alpha, db, 2, 0LL, dv, 1, 3LL, &zero, dy, 1, 2LL, 2));
  get(y, dy, sizeof y);
  for (int i = 0; i < 4; i++) {
    const float *of = v + i / 2 * 3;
    expect("gemv of a batch", y[i], 2 * (b[i % 2] * of[0] + b[2 + i % 2] * of[1] + b[4 + i % 2] * of[2]));
  }
}

typedef _Complex float cfloat;
typedef _Complex double cdouble;
#define SAME(what, got, want) (expect(what, __real__(got), __real__(want)), expect(what " i", __imag__(got), __imag__(want)))

// How a number of a matrix is read: plain, transposed, or conjugated too.
static cdouble of(const cdouble *a, int column, int op, int i, int j) {
  cdouble x = op ? a[i * column + j] : a[j * column + i];
  return op == 2 ? ~x : x;
}

static void complexes(blas h) {
  enum { R = 3, S = 2, K = 4, ALL = 12 };
  cdouble a[ALL], b[ALL], c[R * S], alpha = 2 + 1i, beta = -1i, got[R * S];
  cfloat fa[ALL], fb[ALL], fc[R * S], falpha = 2 + 1i, fbeta = -1i, fgot[R * S];
  for (int i = 0; i < ALL; i++) fa[i] = a[i] = small() + small() * 1i, fb[i] = b[i] = small() + small() * 1i;
  for (int i = 0; i < R * S; i++) fc[i] = c[i] = small() - small() * 1i;
  for (int op = 0; op < 9; op++) {
    int oa = op % 3, ob = op / 3, lda = oa ? K : R, ldb = ob ? S : K;
    void *da = device(a, sizeof a), *db = device(b, sizeof b), *dc = device(c, sizeof c);
    void *ea = device(fa, sizeof fa), *eb = device(fb, sizeof fb), *ec = device(fc, sizeof fc);
    OK(cublasZgemm_v2(h, oa, ob, R, S, K, &alpha, da, lda, db, ldb, &beta, dc, R));
    OK(cublasCgemm_v2(h, oa, ob, R, S, K, &falpha, ea, lda, eb, ldb, &fbeta, ec, R));
    get(got, dc, sizeof got), get(fgot, ec, sizeof fgot);
    for (int i = 0; i < R; i++)
      for (int j = 0; j < S; j++) {
        cdouble sum = 0;
        for (int k = 0; k < K; k++) sum += of(a, lda, oa, i, k) * of(b, ldb, ob, k, j);
        sum = alpha * sum + beta * c[j * R + i];
        SAME("zgemm", got[j * R + i], sum), SAME("cgemm", fgot[j * R + i], sum);
      }
  }
  cdouble dot = 0, z;
  cfloat y[S];
  float root, want = 0;
  void *da = device(a, sizeof a), *db = device(b, sizeof b), *ea = device(fa, sizeof fa), *eb = device(fb, sizeof fb),
       *ec = device(fc, sizeof fc);
  for (int i = 0; i < ALL; i++) dot += ~a[i] * b[i], want += __real__(fa[i] * ~fa[i]);
  OK(cublasZdotc_v2(h, ALL, da, 1, db, 1, &z));
  SAME("dotc", z, dot);
  OK(cublasScnrm2_v2(h, ALL, ea, 1, &root));
  expect("nrm2", root, sqrtf(want));
  OK(cublasZaxpy_v2(h, 2, &alpha, da, 1, db, 1));
  get(got, db, 2 * sizeof *got);
  for (int i = 0; i < 2; i++) SAME("axpy", got[i], b[i] + alpha * a[i]);
  OK(cublasCgeam(h, 2, 0, R, S, &falpha, ea, S, &fbeta, eb, R, ec, R));
  get(fgot, ec, sizeof fgot);
  for (int i = 0; i < R * S; i++) SAME("geam", fgot[i], alpha * ~a[i % R * S + i / R] + beta * b[i]);
  OK(cublasCgemv_v2(h, 2, R, S, &falpha, ea, R, eb, 1, &fbeta, ec, 1)); // of what was added
  get(y, ec, sizeof y);
  for (int j = 0; j < S; j++) {
    cdouble sum = 0;
    for (int i = 0; i < R; i++) sum += ~a[j * R + i] * b[i];
    SAME("gemv", y[j], alpha * sum + beta * (cdouble)fgot[j]);
  }
}

// by_type: vectors of each type; what they come to is small enough for all.
static void by_type(blas h) {
  static const int types[] = {R_32F, R_16F, R_16BF};
  float alpha = 2, xs[] = {1, -2, 2}, ys[] = {3, 1, -1};
  for (int t = 0; t < 3; t++) {
    int type = types[t];
    char x[12], y[12], out[12], want[4];
    for (int i = 0; i < 3; i++) as_type(x, i, type, xs[i]), as_type(y, i, type, ys[i]);
    void *dx = device(x, sizeof x), *dy = device(y, sizeof y);
    OK(cublasDotEx(h, 3, dx, type, 1, dy, type, 1, out, type, R_32F));
    as_type(want, 0, type, -1);
    expect("DotEx", memcmp(out, want, size_of(type)), 0);
    OK(cublasNrm2Ex(h, 3, dx, type, 1, out, type, R_32F));
    as_type(want, 0, type, 3);
    expect("Nrm2Ex", memcmp(out, want, size_of(type)), 0);
    OK(cublasAxpyEx(h, 3, &alpha, R_32F, dx, type, 1, dy, type, 1, R_32F));
    OK(cublasScalEx(h, 3, &alpha, R_32F, dy, type, 1, R_32F));
    get(out, dy, sizeof out);
    for (int i = 0; i < 3; i++) {
      as_type(want, 0, type, 2 * (ys[i] + 2 * xs[i]));
      expect("AxpyEx and ScalEx", memcmp(out + i * size_of(type), want, size_of(type)), 0);
    }
  }
}

// systems factors, solves with and without transposing, and inverts; the second matrix cannot be.
static void systems(blas h) {
  enum { S = 3 };
  double a[2][S * S] = {{0, 2, 4, 1, 1, -1, 3, 0, 2}, {4, 2, 1, 8, 4, 2, 1, 0, 1}}, x[S] = {1, -2, 3}, b[S], bt[S], got[S * S];
  for (int i = 0; i < S; i++) {
    b[i] = bt[i] = 0;
    for (int j = 0; j < S; j++) b[i] += a[0][j * S + i] * x[j], bt[i] += a[0][i * S + j] * x[j];
  }
  double *da = device(a, sizeof a), *db = device(b, sizeof b), *dt = device(bt, sizeof bt), *dc = device(a, sizeof *a);
  double *as[] = {da, da + S * S};
  void *la = device(as, sizeof as), *lb = device(&db, 8), *lt = device(&dt, 8), *lc = device(&dc, 8);
  int rows[2][S], info[2], wrong;
  int *dr = device(rows, sizeof rows), *di = device(info, sizeof info);
  OK(cublasDgetrfBatched(h, S, la, S, dr, di, 2));
  get(rows, dr, sizeof rows), get(info, di, sizeof info);
  expect("row", rows[0][0], 3), expect("info", info[0], 0), expect("info", info[1], 2);
  OK(cublasDgetrsBatched(h, 0, S, 1, la, S, dr, lb, S, &wrong, 1));
  OK(cublasDgetrsBatched(h, 1, S, 1, la, S, dr, lt, S, &wrong, 1));
  get(got, db, sizeof x);
  for (int i = 0; i < S; i++) expect("getrs", fabs(got[i] - x[i]) < 1e-14, 1);
  get(got, dt, sizeof x);
  for (int i = 0; i < S; i++) expect("transposed getrs", fabs(got[i] - x[i]) < 1e-14, 1);
  OK(cublasDgetriBatched(h, S, la, S, dr, lc, S, di, 1));
  get(got, dc, sizeof got);
  for (int i = 0; i < S; i++)
    for (int j = 0; j < S; j++) {
      double sum = 0;
      for (int k = 0; k < S; k++) sum += a[0][k * S + i] * got[j * S + k];
      expect("getri", fabs(sum - (i == j)) < 1e-14, 1);
    }
  IS(7, cublasDgetrsBatched(h, 0, S, 1, la, 1, dr, lb, S, &wrong, 1));
  expect("parameter", wrong, -5);
}

// wide calls forms for sizes of 64 bits.
static void wide(blas h) {
  float x[] = {1, 2, 3}, dot;
  double y[] = {1, -5, 2};
  int64_t place = -1;
  OK(cublasSdot_v2_64(h, (int64_t)3, device(x, sizeof x), (int64_t)1, device(x, sizeof x), (int64_t)1, &dot));
  OK(cublasIdamax_v2_64(h, (int64_t)3, device(y, sizeof y), (int64_t)1, &place));
  expect("dot", dot, 14), expect("place", place, 2);
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
  two_matrices(h);
  complexes(h);
  by_type(h);
  systems(h);
  wide(h);
  IS(15, cublasSsymm_v2());
  puts(cublasGetStatusString(15));
  OK(cublasDestroy_v2(h));
  printf("cublas: done\n");
}
