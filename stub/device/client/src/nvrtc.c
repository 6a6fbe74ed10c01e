// NVRTC: what hiprtc is to HIP, with the same numbers of errors. The service compiles to PTX, which is also
// what a program gets that asks for code of a real device: modules are loaded of either.
//
// Source: "NVRTC", "User Interface".
#include "hip.h"

#define SAME(cuda, hip) extern __typeof__(hip) cuda __attribute__((alias(#hip)));
SAME(nvrtcDestroyProgram, hiprtcDestroyProgram)
SAME(nvrtcCompileProgram, hiprtcCompileProgram)
SAME(nvrtcAddNameExpression, hiprtcAddNameExpression)
SAME(nvrtcGetLoweredName, hiprtcGetLoweredName)

int nvrtcCreateProgram(rtc_program **out, const char *source, const char *name, int n,
                       const char *const *headers, const char *const *names) {
  return hiprtcCreateProgram(out, source, name, n, (const char **)headers, (const char **)names);
}

int nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = CUDA_VERSION / 1000;
  *minor = CUDA_VERSION % 1000 / 10;
  return HIPRTC_SUCCESS;
}

const char *nvrtcGetErrorString(int error) {
  const char *name = hiprtcGetErrorString(error);
  static _Thread_local char text[64];
  snprintf(text, sizeof text, "NVRTC%s", name + strlen("HIPRTC"));
  return text;
}

// The log and the code end with a 0, which their sizes count.
int nvrtcGetProgramLogSize(rtc_program *p, size_t *size) {
  if (!p || !size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = strlen(p->log) + 1;
  return HIPRTC_SUCCESS;
}

int nvrtcGetProgramLog(rtc_program *p, char *out) {
  if (!p || !out) return HIPRTC_ERROR_INVALID_INPUT;
  strcpy(out, p->log);
  return HIPRTC_SUCCESS;
}

int nvrtcGetPTXSize(rtc_program *p, size_t *size) {
  int error = hiprtcGetCodeSize(p, size);
  if (!error) ++*size;
  return error;
}

int nvrtcGetPTX(rtc_program *p, char *out) {
  int error = hiprtcGetCode(p, out);
  if (!error) out[p->code_size] = 0;
  return error;
}

int nvrtcGetCUBINSize(rtc_program *p, size_t *size) { return nvrtcGetPTXSize(p, size); }
int nvrtcGetCUBIN(rtc_program *p, char *out) { return nvrtcGetPTX(p, out); }

// The code for linking by other tools is of NVIDIA's own format.
int nvrtcGetLTOIRSize(rtc_program *p, size_t *size) {
  if (!p || !size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = 0;
  return HIPRTC_ERROR_INVALID_PROGRAM;
}

int nvrtcGetLTOIR(rtc_program *p, char *out) {
  (void)out;
  return p ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_ERROR_INVALID_INPUT;
}

static const int architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

int nvrtcGetNumSupportedArchs(int *n) {
  if (!n) return HIPRTC_ERROR_INVALID_INPUT;
  *n = sizeof architectures / sizeof architectures[0];
  return HIPRTC_SUCCESS;
}

int nvrtcGetSupportedArchs(int *out) {
  if (!out) return HIPRTC_ERROR_INVALID_INPUT;
  memcpy(out, architectures, sizeof architectures);
  return HIPRTC_SUCCESS;
}
