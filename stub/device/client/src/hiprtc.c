// hiprtc: programs that compile kernels while they run. The service compiles, by the
// installed clang.
#include "hip.h"
#include <limits.h>

enum {
  HIPRTC_SUCCESS,
  HIPRTC_ERROR_OUT_OF_MEMORY,
  HIPRTC_ERROR_PROGRAM_CREATION_FAILURE,
  HIPRTC_ERROR_INVALID_INPUT,
  HIPRTC_ERROR_INVALID_PROGRAM,
  HIPRTC_ERROR_INVALID_OPTION,
  HIPRTC_ERROR_COMPILATION,
  HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE,
  HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
  HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION,
  HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
  HIPRTC_ERROR_INTERNAL_ERROR,
  HIPRTC_ERRORS,
  HIPRTC_ERROR_LINKING = 100
};

// A rtc_pair is a header's name and contents, or a name expression and what it is called.
typedef struct {
  char *name, *value;
} rtc_pair;

typedef struct rtc_program {
  char *source, *name, *log, *code;
  size_t code_size;
  int compiled;
  rtc_pair *headers, *names;
  int header_count, name_count;
} rtc_program;

static char *rtc_copy(const char *s) { return copied(s ? s : "", strlen(s ? s : "") + 1); }

int hiprtcCreateProgram(rtc_program **out, const char *source, const char *name, int n, const char **headers,
                        const char **names) {
  if (!out || !source || n < 0 || (n && (!headers || !names))) return HIPRTC_ERROR_INVALID_INPUT;
  rtc_program *p = calloc(1, sizeof *p);
  if (!p) return HIPRTC_ERROR_OUT_OF_MEMORY;
  p->source = rtc_copy(source);
  p->name = rtc_copy(name);
  p->log = rtc_copy("");
  p->headers = calloc((size_t)n + 1, sizeof *p->headers);
  if (!p->headers) abort();
  for (int i = 0; i < n; i++) p->headers[i] = (rtc_pair){rtc_copy(names[i]), rtc_copy(headers[i])};
  p->header_count = n;
  *out = p;
  return HIPRTC_SUCCESS;
}

static void rtc_free(rtc_pair *list, int n) {
  for (int i = 0; i < n; i++) free(list[i].name), free(list[i].value);
  free(list);
}

int hiprtcDestroyProgram(rtc_program **at) {
  rtc_program *p = at ? *at : NULL;
  if (!p) return HIPRTC_ERROR_INVALID_PROGRAM;
  rtc_free(p->headers, p->header_count);
  rtc_free(p->names, p->name_count);
  free(p->source), free(p->name), free(p->log), free(p->code);
  free(p);
  *at = NULL;
  return HIPRTC_SUCCESS;
}

int hiprtcAddNameExpression(rtc_program *p, const char *name) {
  if (!p || !name) return HIPRTC_ERROR_INVALID_INPUT;
  if (p->compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  p->names = realloc(p->names, (size_t)(p->name_count + 1) * sizeof *p->names);
  if (!p->names) abort();
  p->names[p->name_count++] = (rtc_pair){rtc_copy(name), NULL};
  return HIPRTC_SUCCESS;
}

static void put_text(const char *s) { put_bytes(s, strlen(s)); }

// put_option puts an option. A folder of headers is told from where the program works: the compiler works
// elsewhere.
static void put_option(const char *option) {
  static const char *const folders[] = {"-I", "--include-path="};
  char here[PATH_MAX], all[2 * PATH_MAX];
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    size_t n = strlen(folders[i]);
    if (strncmp(option, folders[i], n) || !option[n] || option[n] == '/' || !getcwd(here, sizeof here))
      continue;
    if ((size_t)snprintf(all, sizeof all, "%s%s/%s", folders[i], here, option + n) < sizeof all) {
      put_text(all);
      return;
    }
  }
  put_text(option);
}

// put_source_folder puts the folder of a program's source as one of headers, or where the program works.
static void put_source_folder(const char *name) {
  char folder[PATH_MAX];
  const char *last = name ? strrchr(name, '/') : NULL;
  snprintf(folder, sizeof folder, "-I%.*s", last ? (int)(last - name + 1) : 1, last ? name : ".");
  put_option(folder);
}

// say_first_error says, once, why a source is not compiled: few programs print what they can ask for.
static void say_first_error(rtc_program *p) {
  static char said;
  const char *error = strstr(p->log, "error: ");
  if (!error) error = p->log;
  while (error > p->log && error[-1] != '\n') error--;
  if (!said) dev_say("a source of the program does not compile: %.*s", (int)strcspn(error, "\n"), error);
  said = 1;
}

int hiprtcCompileProgram(rtc_program *p, int n, const char **options) {
  if (!p) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (n < 0 || (n && !options)) return HIPRTC_ERROR_INVALID_INPUT;
  dev_lock();
  int result = HIPRTC_ERROR_INTERNAL_ERROR;
  enum dev_status s = hip_device() ? DEV_GONE : DEV_DONE;
  if (s == DEV_DONE) {
    dev_begin();
    put_u64(API_PORTABLE); // CUDA's language
    put_text(p->name);
    put_text(p->source);
    put_u64((uint64_t)n + API_PORTABLE); // NVRTC's sources include what lies beside them
    for (int i = 0; i < n; i++) put_option(options[i]);
    if (API_PORTABLE) put_source_folder(p->name);
    put_u64((uint64_t)p->header_count);
    for (int i = 0; i < p->header_count; i++) put_text(p->headers[i].name), put_text(p->headers[i].value);
    put_u64((uint64_t)p->name_count);
    for (int i = 0; i < p->name_count; i++) put_text(p->names[i].name);
    s = dev_request(OP_COMPILE);
  }
  if (s == DEV_DONE) {
    int done = get_u64() == 1;
    free(p->log), free(p->code);
    p->log = get_string();
    const char *code = get_bytes(&p->code_size);
    p->code = copied(code, p->code_size);
    uint64_t count = get_u64();
    for (uint64_t i = 0; i < count && (int)i < p->name_count; i++) {
      free(p->names[i].value);
      p->names[i].value = get_string();
    }
    p->compiled = done;
    result = done ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
    if (!done) say_first_error(p);
  } else if (s != DEV_GONE) {
    dev_say("hiprtc: %s", dev.message);
  }
  dev_unlock();
  return result;
}

int hiprtcGetLoweredName(rtc_program *p, const char *name, const char **out) {
  if (!p || !name || !out) return HIPRTC_ERROR_INVALID_INPUT;
  if (!p->compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (int i = 0; i < p->name_count; i++)
    if (!strcmp(p->names[i].name, name) && p->names[i].value) {
      *out = p->names[i].value;
      return HIPRTC_SUCCESS;
    }
  return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

int hiprtcGetProgramLogSize(rtc_program *p, size_t *size) {
  if (!p || !size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = *p->log ? strlen(p->log) + 1 : 0;
  return HIPRTC_SUCCESS;
}

int hiprtcGetProgramLog(rtc_program *p, char *out) {
  if (!p || !out) return HIPRTC_ERROR_INVALID_INPUT;
  if (*p->log) strcpy(out, p->log);
  return HIPRTC_SUCCESS;
}

int hiprtcGetCodeSize(rtc_program *p, size_t *size) {
  if (!p || !size) return HIPRTC_ERROR_INVALID_INPUT;
  if (!p->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  *size = p->code_size;
  return HIPRTC_SUCCESS;
}

int hiprtcGetCode(rtc_program *p, char *out) {
  if (!p || !out) return HIPRTC_ERROR_INVALID_INPUT;
  if (!p->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  memcpy(out, p->code, p->code_size);
  return HIPRTC_SUCCESS;
}

// What comes of a program that is to be linked with others (-fgpu-rdc) is for hiprtcLinkAddData.
int hiprtcGetBitcodeSize(rtc_program *p, size_t *size) { return hiprtcGetCodeSize(p, size); }
int hiprtcGetBitcode(rtc_program *p, char *out) { return hiprtcGetCode(p, out); }

int hiprtcVersion(int *major, int *minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = 9;
  *minor = 0;
  return HIPRTC_SUCCESS;
}

const char *hiprtcGetErrorString(int error) {
  static const char *const names[HIPRTC_ERRORS] = {
      "HIPRTC_SUCCESS",
      "HIPRTC_ERROR_OUT_OF_MEMORY",
      "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
      "HIPRTC_ERROR_INVALID_INPUT",
      "HIPRTC_ERROR_INVALID_PROGRAM",
      "HIPRTC_ERROR_INVALID_OPTION",
      "HIPRTC_ERROR_COMPILATION",
      "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
      "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
      "HIPRTC_ERROR_INTERNAL_ERROR",
  };
  if (error == HIPRTC_ERROR_LINKING) return "HIPRTC_ERROR_LINKING";
  return error >= 0 && error < HIPRTC_ERRORS ? names[error] : "HIPRTC_ERROR_INVALID_INPUT";
}
