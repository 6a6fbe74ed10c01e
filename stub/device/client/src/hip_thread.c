// The HIP runtime API of programs whose default stream is each thread's own
// (-fgpu-default-stream=per-thread, or HIP_API_PER_THREAD_DEFAULT_STREAM): the stream 0 that they pass, or
// do not mention, is the thread's.
#include "hip.h"

// OWN is the stream that a handle means to such a program.
static const hipStream_t own = (hipStream_t)2;
#define OWN(s) ((s) ? (s) : own)

// SPT makes the variant of a function that calls it in such a stream.
#define SPT(name, parameters, arguments)                                                                    \
  int name##_spt parameters { return name arguments; }

SPT(hipLaunchKernel, (const void *f, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s),
    (f, grid, block, args, shared, OWN(s)))
SPT(hipLaunchCooperativeKernel,
    (const void *f, dim3 grid, dim3 block, void **args, unsigned shared, hipStream_t s),
    (f, grid, block, args, shared, OWN(s)))
SPT(hipLaunchHostFunc, (hipStream_t s, void (*f)(void *), void *data), (OWN(s), f, data))
SPT(hipStreamAddCallback, (hipStream_t s, void (*f)(hipStream_t, int, void *), void *data, unsigned flags),
    (OWN(s), f, data, flags))
SPT(hipGraphLaunch, (hip_graph * exec, hipStream_t s), (exec, OWN(s)))

SPT(hipStreamGetFlags, (hipStream_t s, unsigned *flags), (OWN(s), flags))
SPT(hipStreamGetPriority, (hipStream_t s, int *priority), (OWN(s), priority))
SPT(hipStreamQuery, (hipStream_t s), (OWN(s)))
SPT(hipStreamSynchronize, (hipStream_t s), (OWN(s)))
SPT(hipStreamWaitEvent, (hipStream_t s, hipEvent_t e, unsigned flags), (OWN(s), e, flags))
SPT(hipStreamBeginCapture, (hipStream_t s, int mode), (OWN(s), mode))
SPT(hipStreamEndCapture, (hipStream_t s, hip_graph **g), (OWN(s), g))
SPT(hipStreamIsCapturing, (hipStream_t s, int *status), (OWN(s), status))
SPT(hipStreamGetCaptureInfo, (hipStream_t s, int *status, unsigned long long *id), (OWN(s), status, id))
SPT(hipStreamGetCaptureInfo_v2,
    (hipStream_t s, int *status, unsigned long long *id, hip_graph **g, hip_node *const **nodes, size_t *n),
    (OWN(s), status, id, g, nodes, n))
SPT(hipEventRecord, (hipEvent_t e, hipStream_t s), (e, OWN(s)))

SPT(hipMemcpyAsync, (void *to, const void *from, size_t size, int kind, hipStream_t s),
    (to, from, size, kind, OWN(s)))
SPT(hipMemcpy2DAsync,
    (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind,
     hipStream_t s),
    (to, to_pitch, from, from_pitch, width, height, kind, OWN(s)))
SPT(hipMemcpy3DAsync, (const hip_copy3d *p, hipStream_t s), (p, OWN(s)))
SPT(hipMemcpyToSymbolAsync,
    (const void *symbol, const void *from, size_t count, size_t offset, int kind, hipStream_t s),
    (symbol, from, count, offset, kind, OWN(s)))
SPT(hipMemcpyFromSymbolAsync,
    (void *to, const void *symbol, size_t count, size_t offset, int kind, hipStream_t s),
    (to, symbol, count, offset, kind, OWN(s)))
SPT(hipMemsetAsync, (void *to, int value, size_t size, hipStream_t s), (to, value, size, OWN(s)))
SPT(hipMemset2DAsync, (void *to, size_t pitch, int value, size_t width, size_t height, hipStream_t s),
    (to, pitch, value, width, height, OWN(s)))
SPT(hipMemset3DAsync, (hip_pitched p, int value, hip_extent e, hipStream_t s), (p, value, e, OWN(s)))

// Fills, and copies that wait.
int hipMemset_spt(void *to, int value, size_t size) { return hipMemsetAsync(to, value, size, own); }

int hipMemset2D_spt(void *to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(to, pitch, value, width, height, own);
}

int hipMemset3D_spt(hip_pitched p, int value, hip_extent e) { return hipMemset3DAsync(p, value, e, own); }

// waited waits for what was submitted to the thread's stream.
static int waited(int error) { return error ? error : hipStreamSynchronize(own); }

int hipMemcpy_spt(void *to, const void *from, size_t size, int kind) {
  return waited(hipMemcpyAsync(to, from, size, kind, own));
}

int hipMemcpy2D_spt(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                    size_t height, int kind) {
  return waited(hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own));
}

int hipMemcpy3D_spt(const hip_copy3d *p) { return waited(hipMemcpy3DAsync(p, own)); }

int hipMemcpyToSymbol_spt(const void *symbol, const void *from, size_t count, size_t offset, int kind) {
  return waited(hipMemcpyToSymbolAsync(symbol, from, count, offset, kind, own));
}

int hipMemcpyFromSymbol_spt(void *to, const void *symbol, size_t count, size_t offset, int kind) {
  return waited(hipMemcpyFromSymbolAsync(to, symbol, count, offset, kind, own));
}
