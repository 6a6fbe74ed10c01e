// What cuBLAS has besides: functions that are not served, each of which says so once; and the forms for sizes
// of 64 bits, which are the others, as memory here has no room for what would not fit.
#include "hip.h"

#define BLAS_SC(DO, op) DO(S##op) DO(C##op)
#define BLAS_CZ(DO, op) DO(C##op) DO(Z##op)
#define BLAS_SD(DO, op) DO(S##op) DO(D##op)
#define BLAS_SDCZ(DO, op) DO(S##op) DO(D##op) DO(C##op) DO(Z##op)
#define BLAS_XT_CZ(DO, op) DO(XtC##op) DO(XtZ##op)
#define BLAS_XT_SDCZ(DO, op) DO(XtS##op) DO(XtD##op) DO(XtC##op) DO(XtZ##op)

#define BLAS_MISSING(name)                     \
  int cublas##name(void) {                     \
    static char said;                          \
    return blas_missing("cublas" #name, &said); \
  }
BLAS_MISSING(AsumEx) BLAS_MISSING(GemmGroupedBatchedEx) BLAS_MISSING(GetBackdoor)
BLAS_MISSING(GetEmulationStrategy) BLAS_MISSING(GetLoggerCallback) BLAS_MISSING(GetSmCountTarget)
BLAS_MISSING(HSHgemvBatched) BLAS_MISSING(HSHgemvStridedBatched) BLAS_MISSING(HSSgemvBatched)
BLAS_MISSING(HSSgemvStridedBatched) BLAS_MISSING(IamaxEx) BLAS_MISSING(IaminEx) BLAS_MISSING(Icamax_v2)
BLAS_MISSING(Icamin_v2) BLAS_MISSING(Izamax_v2) BLAS_MISSING(Izamin_v2) BLAS_MISSING(LoggerConfigure)
BLAS_MISSING(RotEx) BLAS_MISSING(RotgEx) BLAS_MISSING(RotmEx) BLAS_MISSING(RotmgEx)
BLAS_MISSING(TSSgemvBatched) BLAS_MISSING(TSSgemvStridedBatched) BLAS_MISSING(TSTgemvBatched)
BLAS_MISSING(TSTgemvStridedBatched) BLAS_MISSING(Uint8gemmBias) BLAS_MISSING(Xerbla)
BLAS_MISSING(XtGetBlockDim) BLAS_MISSING(XtGetNumBoards) BLAS_MISSING(XtGetPinningMemMode)
BLAS_MISSING(XtMaxBoards) BLAS_MISSING(Cgemm3mBatched) BLAS_MISSING(Cgemm3mEx)
BLAS_MISSING(Cgemm3mStridedBatched) BLAS_MISSING(CgemmEx) BLAS_MISSING(Cherk3mEx) BLAS_MISSING(CherkEx)
BLAS_MISSING(CopyEx) BLAS_MISSING(Csrot_v2) BLAS_MISSING(Csscal_v2) BLAS_MISSING(Csyrk3mEx)
BLAS_MISSING(CsyrkEx)
BLAS_CZ(BLAS_MISSING, gemm3m) BLAS_CZ(BLAS_MISSING, gerc_v2) BLAS_CZ(BLAS_MISSING, geru_v2)
BLAS_CZ(BLAS_MISSING, getrfBatched) BLAS_CZ(BLAS_MISSING, getriBatched) BLAS_CZ(BLAS_MISSING, getrsBatched)
BLAS_CZ(BLAS_MISSING, hbmv_v2) BLAS_CZ(BLAS_MISSING, hemm_v2) BLAS_CZ(BLAS_MISSING, hemv_v2)
BLAS_CZ(BLAS_MISSING, her2_v2) BLAS_CZ(BLAS_MISSING, her2k_v2) BLAS_CZ(BLAS_MISSING, her_v2)
BLAS_CZ(BLAS_MISSING, herk_v2) BLAS_CZ(BLAS_MISSING, herkx) BLAS_CZ(BLAS_MISSING, hpmv_v2)
BLAS_CZ(BLAS_MISSING, hpr2_v2) BLAS_CZ(BLAS_MISSING, hpr_v2) BLAS_CZ(BLAS_MISSING, syrk_v2)
BLAS_CZ(BLAS_MISSING, trsmBatched) BLAS_CZ(BLAS_MISSING, trsm_v2)
BLAS_MISSING(Dzasum_v2) BLAS_MISSING(Scasum_v2) BLAS_MISSING(SetBackdoor) BLAS_MISSING(SetEmulationStrategy)
BLAS_MISSING(SetLoggerCallback)
BLAS_MISSING(SetSmCountTarget) BLAS_MISSING(SwapEx)
BLAS_SD(BLAS_MISSING, gemmGroupedBatched) BLAS_SD(BLAS_MISSING, rotm_v2) BLAS_SD(BLAS_MISSING, rotmg_v2)
BLAS_SD(BLAS_MISSING, sbmv_v2) BLAS_SD(BLAS_MISSING, spmv_v2) BLAS_SD(BLAS_MISSING, spr2_v2)
BLAS_SD(BLAS_MISSING, spr_v2)
BLAS_SDCZ(BLAS_MISSING, gbmv_v2) BLAS_SDCZ(BLAS_MISSING, gelsBatched) BLAS_SDCZ(BLAS_MISSING, geqrfBatched)
BLAS_SDCZ(BLAS_MISSING, matinvBatched) BLAS_SDCZ(BLAS_MISSING, rot_v2) BLAS_SDCZ(BLAS_MISSING, rotg_v2)
BLAS_SDCZ(BLAS_MISSING, symm_v2) BLAS_SDCZ(BLAS_MISSING, symv_v2) BLAS_SDCZ(BLAS_MISSING, syr2_v2)
BLAS_SDCZ(BLAS_MISSING, syr2k_v2) BLAS_SDCZ(BLAS_MISSING, syr_v2) BLAS_SDCZ(BLAS_MISSING, syrkx)
BLAS_SDCZ(BLAS_MISSING, tbmv_v2) BLAS_SDCZ(BLAS_MISSING, tbsv_v2) BLAS_SDCZ(BLAS_MISSING, tpmv_v2)
BLAS_SDCZ(BLAS_MISSING, tpsv_v2) BLAS_SDCZ(BLAS_MISSING, tpttr) BLAS_SDCZ(BLAS_MISSING, trmm_v2)
BLAS_SDCZ(BLAS_MISSING, trmv_v2) BLAS_SDCZ(BLAS_MISSING, trsv_v2) BLAS_SDCZ(BLAS_MISSING, trttp)
BLAS_MISSING(Zdrot_v2) BLAS_MISSING(Zdscal_v2)
BLAS_MISSING(XtCreate)
BLAS_XT_CZ(BLAS_MISSING, hemm) BLAS_XT_CZ(BLAS_MISSING, her2k) BLAS_XT_CZ(BLAS_MISSING, herk)
BLAS_XT_CZ(BLAS_MISSING, herkx)
BLAS_MISSING(XtDestroy) BLAS_MISSING(XtDeviceSelect)
BLAS_MISSING(XtSetBlockDim) BLAS_MISSING(XtSetCpuRatio) BLAS_MISSING(XtSetCpuRoutine)
BLAS_MISSING(XtSetPinningMemMode)
BLAS_XT_SDCZ(BLAS_MISSING, gemm) BLAS_XT_SDCZ(BLAS_MISSING, spmm) BLAS_XT_SDCZ(BLAS_MISSING, symm)
BLAS_XT_SDCZ(BLAS_MISSING, syr2k) BLAS_XT_SDCZ(BLAS_MISSING, syrk) BLAS_XT_SDCZ(BLAS_MISSING, syrkx)
BLAS_XT_SDCZ(BLAS_MISSING, trmm) BLAS_XT_SDCZ(BLAS_MISSING, trsm)

// All that is of vectors and matrices and has a handle for its first parameter: as BLAS, without a handle, it
// is older, and not served.
#define BLAS_ALL(DO) \
  DO(Csrot) DO(Csscal) \
  BLAS_CZ(DO, dotc) BLAS_CZ(DO, dotu) BLAS_CZ(DO, gerc) BLAS_CZ(DO, geru) BLAS_CZ(DO, hbmv) \
  BLAS_CZ(DO, hemm) BLAS_CZ(DO, hemv) BLAS_CZ(DO, her) BLAS_CZ(DO, her2) BLAS_CZ(DO, her2k) \
  BLAS_CZ(DO, herk) BLAS_CZ(DO, hpmv) BLAS_CZ(DO, hpr) BLAS_CZ(DO, hpr2) \
  DO(Dzasum) DO(Dznrm2) DO(Scasum) DO(Scnrm2) \
  BLAS_SD(DO, asum) BLAS_SD(DO, dot) BLAS_SD(DO, ger) BLAS_SD(DO, nrm2) BLAS_SD(DO, rotm) BLAS_SD(DO, rotmg) \
  BLAS_SD(DO, sbmv) BLAS_SD(DO, spmv) BLAS_SD(DO, spr) BLAS_SD(DO, spr2) \
  BLAS_SDCZ(DO, axpy) BLAS_SDCZ(DO, copy) BLAS_SDCZ(DO, gbmv) BLAS_SDCZ(DO, gemm) BLAS_SDCZ(DO, gemv) \
  BLAS_SDCZ(DO, rot) BLAS_SDCZ(DO, rotg) BLAS_SDCZ(DO, scal) BLAS_SDCZ(DO, swap) BLAS_SDCZ(DO, symm) \
  BLAS_SDCZ(DO, symv) BLAS_SDCZ(DO, syr) BLAS_SDCZ(DO, syr2) BLAS_SDCZ(DO, syr2k) BLAS_SDCZ(DO, syrk) \
  BLAS_SDCZ(DO, tbmv) BLAS_SDCZ(DO, tbsv) BLAS_SDCZ(DO, tpmv) BLAS_SDCZ(DO, tpsv) BLAS_SDCZ(DO, trmm) \
  BLAS_SDCZ(DO, trmv) BLAS_SDCZ(DO, trsm) BLAS_SDCZ(DO, trsv) \
  DO(Zdrot) DO(Zdscal)
BLAS_ALL(BLAS_MISSING)
#define BLAS_PLACE(name) BLAS_MISSING(name) BLAS_WIDE_PLACE(name)
#define BLAS_WIDE_PLACE(name)                                                     \
  int cublas##name##_v2_64(blas *b, int n, const void *x, int xn, int64_t *out) { \
    int place = 0, error;                                                         \
    if (!b || !out) return b ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;         \
    if (b->on_device && hipMemsetAsync(out, 0, sizeof *out, b->stream))           \
      return BLAS_EXECUTION_FAILED;                                               \
    error = cublas##name##_v2(b, n, x, xn, b->on_device ? (int *)out : &place);   \
    if (!error && !b->on_device) *out = place;                                    \
    return error;                                                                 \
  }
BLAS_PLACE(Idamax) BLAS_PLACE(Idamin) BLAS_PLACE(Isamax) BLAS_PLACE(Isamin)
BLAS_MISSING(Icamax) BLAS_MISSING(Icamin) BLAS_MISSING(Izamax) BLAS_MISSING(Izamin)
BLAS_MISSING(Init) BLAS_MISSING(Shutdown) BLAS_MISSING(GetError) BLAS_MISSING(Alloc) BLAS_MISSING(Free)
BLAS_MISSING(SetKernelStream) BLAS_MISSING(GetVersion)

#define BLAS_WIDE(name) \
  extern __typeof__(cublas##name) cublas##name##_64 __attribute__((alias("cublas" #name)));
#define BLAS_WIDE_V2(name) BLAS_WIDE(name##_v2)
BLAS_ALL(BLAS_WIDE_V2)
BLAS_WIDE(Icamax_v2) BLAS_WIDE(Icamin_v2) BLAS_WIDE(Izamax_v2) BLAS_WIDE(Izamin_v2) BLAS_WIDE(AsumEx)
BLAS_WIDE(AxpyEx) BLAS_WIDE(GemmBatchedEx) BLAS_WIDE(GemmEx) BLAS_WIDE(GemmStridedBatchedEx)
BLAS_WIDE(GetMatrix) BLAS_WIDE(GetMatrixAsync) BLAS_WIDE(GetVector) BLAS_WIDE(GetVectorAsync)
BLAS_WIDE(HSHgemvBatched) BLAS_WIDE(HSHgemvStridedBatched) BLAS_WIDE(HSSgemvBatched)
BLAS_WIDE(HSSgemvStridedBatched) BLAS_WIDE(Hgemm) BLAS_WIDE(HgemmBatched) BLAS_WIDE(HgemmStridedBatched)
BLAS_WIDE(IamaxEx) BLAS_WIDE(IaminEx) BLAS_WIDE(Nrm2Ex) BLAS_WIDE(RotEx) BLAS_WIDE(RotgEx) BLAS_WIDE(RotmEx)
BLAS_WIDE(RotmgEx) BLAS_WIDE(TSSgemvBatched) BLAS_WIDE(TSSgemvStridedBatched) BLAS_WIDE(TSTgemvBatched)
BLAS_WIDE(TSTgemvStridedBatched) BLAS_WIDE(Cgemm3mBatched) BLAS_WIDE(Cgemm3mEx)
BLAS_WIDE(Cgemm3mStridedBatched) BLAS_WIDE(Cherk3mEx) BLAS_WIDE(CherkEx) BLAS_WIDE(CopyEx)
BLAS_WIDE(Csyrk3mEx) BLAS_WIDE(CsyrkEx) BLAS_CZ(BLAS_WIDE, gemm3m) BLAS_CZ(BLAS_WIDE, herkx)
BLAS_WIDE(DotEx) BLAS_WIDE(DotcEx) BLAS_WIDE(ScalEx) BLAS_WIDE(SetMatrix) BLAS_WIDE(SetMatrixAsync)
BLAS_WIDE(SetVector) BLAS_WIDE(SetVectorAsync) BLAS_WIDE(SwapEx) BLAS_SC(BLAS_WIDE, gemmEx)
BLAS_SDCZ(BLAS_WIDE, dgmm) BLAS_SDCZ(BLAS_WIDE, geam) BLAS_SDCZ(BLAS_WIDE, gemmBatched)
BLAS_SDCZ(BLAS_WIDE, gemmStridedBatched) BLAS_SDCZ(BLAS_WIDE, gemvBatched)
BLAS_SDCZ(BLAS_WIDE, gemvStridedBatched) BLAS_SDCZ(BLAS_WIDE, syrkx) BLAS_SDCZ(BLAS_WIDE, trsmBatched)