// Modules of libamdhip64 for the device service: the C functions of the HIP runtime API that host programs of
// clang and hipcc call to register what they have, functions and variables, and those that load modules.
//
// Sources: HIP's API reference ("HIP Runtime API Reference"), the calls that
// clang's host code makes (clang, lib/CodeGen/CGCUDANV.cpp), and the offload
// bundle's layout (LLVM, "Clang Offload Bundler").
#include "hip.h"

// What the program has registered.

static hip_module *modules, **modules_end = &modules;
static hip_entry *entries[1024]; // functions and variables of the host, by address

static unsigned slot_of(const void *p) {
  return (unsigned)(((uintptr_t)p >> 4) * 2654435761u >> 16) % 1024;
}

static hip_entry *entry_of(const void *host) {
  for (hip_entry *e = entries[slot_of(host)]; e; e = e->next)
    if (e->host == host) return e;
  return NULL;
}

static hip_entry *add_entry(const void *host, const char *name, hip_module *m) {
  hip_entry *e = calloc(1, sizeof *e);
  if (!e) abort();
  e->host = host;
  e->name = name;
  e->module = m;
  e->next = entries[slot_of(host)];
  entries[slot_of(host)] = e;
  return e;
}

// is_text reports whether a file in memory is a text, as PTX is.
static int is_text(const unsigned char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  return !strncmp((const char *)p, "//", 2) || !strncmp((const char *)p, "/*", 2) || *p == '.';
}

// file_size is how many bytes a file in memory has, from what it says itself; 0
// if it is none that is known.
static size_t file_size(const unsigned char *p) {
  uint64_t n = 0, end = 0;
  const uint32_t fat_binary = 0xba55ed50;
  if (is_text(p)) return strlen((const char *)p);
  if (!memcmp(p, &fat_binary, sizeof fat_binary)) {
    uint16_t header;
    memcpy(&header, p + 6, sizeof header);
    memcpy(&n, p + 8, sizeof n);
    return header + n;
  }
  if (!memcmp(p, "__CLANG_OFFLOAD_BUNDLE__", 24)) {
    const unsigned char *at = p + 32;
    memcpy(&n, p + 24, 8);
    for (; n > 0; n--) {
      uint64_t entry[3];
      memcpy(entry, at, sizeof entry);
      if (entry[0] + entry[1] > end) end = entry[0] + entry[1];
      at += sizeof entry + entry[2];
    }
    return end > (size_t)(at - p) ? end : (size_t)(at - p);
  }
  if (!memcmp(p, "CCOB", 4)) { // compressed: version 2 has a size of 32 bits, version 3 one of 64
    uint16_t version;
    uint32_t size;
    memcpy(&version, p + 4, 2);
    memcpy(&size, p + 8, 4);
    if (version == 2) return size;
    memcpy(&end, p + 8, 8);
    return version == 3 ? end : 0;
  }
  if (!memcmp(p, "\177ELF\2", 5)) {
    uint64_t offset;
    uint16_t size, count;
    memcpy(&offset, p + 40, 8);
    memcpy(&size, p + 58, 2);
    memcpy(&count, p + 60, 2);
    return offset + (uint64_t)size * count;
  }
  return 0;
}

// read_kernels takes the kernels out of the answer to a load.
static void read_kernels(hip_module *m) {
  m->kernel_count = get_u64();
  m->kernels = calloc(m->kernel_count ? m->kernel_count : 1, sizeof *m->kernels);
  if (!m->kernels) abort();
  for (uint64_t i = 0; i < m->kernel_count && !dev.in.bad; i++) {
    hip_kernel *k = &m->kernels[i];
    k->module = m;
    k->index = i;
    k->name = get_string();
    k->arg_size = get_u64();
    k->lds = get_u64();
    k->scratch = get_u64();
    k->max_threads = (unsigned)get_u64();
    k->wave = (unsigned)get_u64();
    k->registers = (int)get_u64();
    k->capability = (int)get_u64();
    k->most_shared = (int)(65536 - k->lds);
    for (int j = 0; j < 3; j++) get_u64();
    size_t n;
    get_bytes(&n); // attributes
    k->arg_count = get_u64();
    k->args = calloc(k->arg_count ? k->arg_count : 1, sizeof *k->args);
    if (!k->args) abort();
    for (uint64_t j = 0; j < k->arg_count && !dev.in.bad; j++) {
      k->args[j].kind = get_u64();
      k->args[j].offset = get_u64();
      k->args[j].size = get_u64();
      for (int s = 0; s < 4; s++) get_bytes(&n);
      get_u64(); // qualifiers
    }
  }
}

static void read_symbols(hip_module *m) {
  m->symbol_count = get_u64();
  m->symbols = calloc(m->symbol_count ? m->symbol_count : 1, sizeof *m->symbols);
  if (!m->symbols) abort();
  for (uint64_t i = 0; i < m->symbol_count && !dev.in.bad; i++) {
    m->symbols[i].name = get_string();
    m->symbols[i].addr = get_u64();
    m->symbols[i].size = get_u64();
    dev_add(m->symbols[i].addr, m->symbols[i].size, RANGE_SYMBOL);
  }
}

static hip_symbol *symbol_of(hip_module *m, const char *name) {
  for (uint64_t i = 0; i < m->symbol_count; i++)
    if (!strcmp(m->symbols[i].name, name)) return &m->symbols[i];
  return NULL;
}

// new_managed allocates a managed variable.
static void new_managed(hip_managed *v) {
  enum dev_status s = DEV_GONE;
  uint64_t addr = 0;
  size_t align = v->align > DEV_PAGE_SIZE ? v->align : DEV_PAGE_SIZE;
  dev_own = 1;
  if (!hip_connect()) addr = dev_alloc(v->size, align, RANGE_MANAGED, &s);
  dev_own = 0;
  *v->pointer = v->init; // the host at least has it
  if (!addr) return;
  dev_open(addr, v->size, 1);
  memcpy(dev_host(addr), v->init, v->size);
  *v->pointer = (void *)(uintptr_t)addr;
}

// place_managed tells the device where managed variables are.
static void place_managed(hip_module *m) {
  for (hip_managed *v = m->managed; v; v = v->next) {
    if (*v->pointer == v->init) new_managed(v);
    hip_symbol *s = symbol_of(m, v->name);
    if (s && s->size >= sizeof(void *)) memcpy(dev_host(s->addr), v->pointer, sizeof(void *));
  }
}

// load_module loads what was registered, when it is first needed.
static int load_module(hip_module *m) {
  if (m->loaded) return m->error;
  if (m->gone) return hipErrorInvalidDeviceFunction;
  if (hip_connect()) return hipErrorNoDevice;
  m->loaded = 1;
  m->error = hipErrorInvalidImage;
  enum dev_status s = DEV_BAD_MODULE;
  if (m->image_size) {
    dev_begin();
    put_lent(m->image, m->image_size);
    put_u64(0); // constants
    s = dev_request(OP_LOAD);
    m->error = s == DEV_BAD_MODULE && is_text(m->image) ? hipErrorInvalidKernelFile : hip_error(s);
  } else snprintf(dev.message, sizeof dev.message, "it is of no known format");
  if (s != DEV_DONE) {
    dev_say("a module of the program cannot be loaded: %s", dev.message);
    return m->error;
  }
  m->id = get_u64();
  size_t n;
  const char *processor = get_bytes(&n);
  snprintf(dev.processor, sizeof dev.processor, "%.*s", (int)n, processor);
  read_kernels(m);
  read_symbols(m);
  place_managed(m);
  return hipSuccess;
}

// module_goes is told of a module that is unloaded: hip_reference.c wants to know.
static void (*module_goes)(hip_module *m);

// unload_module forgets what a device has of a module. Managed variables are where they were at first.
static void unload_module(hip_module *m) {
  for (hip_managed *v = m->managed; v; v = v->next) *v->pointer = v->init;
  for (uint64_t i = 0; i < m->symbol_count; i++) {
    dev_range *r = dev_find(m->symbols[i].addr);
    if (r) dev_remove(r);
    free(m->symbols[i].name);
  }
  for (uint64_t i = 0; i < m->kernel_count; i++) {
    free(m->kernels[i].name);
    free(m->kernels[i].args);
  }
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    for (hip_entry *e = entries[i]; e; e = e->next)
      if (e->module == m) e->kernel = NULL;
  if (module_goes) module_goes(m);
  free(m->symbols);
  free(m->kernels);
  m->symbols = NULL;
  m->kernels = NULL;
  m->symbol_count = m->kernel_count = 0;
  m->loaded = 0;
}

// hip_device connects and finds out which processor the device is.
int hip_device(void) {
  if (hip_connect()) return -1;
  if (API_PORTABLE) return 0; // modules say nothing about it
  for (hip_module *m = modules; m && !dev.processor[0]; m = m->next) load_module(m);
  return 0;
}

// find_kernel finds the kernel that a function of the host stands for. It wants dev_lock.
static int find_kernel(const void *host, hip_kernel **out) {
  hip_entry *e = entry_of(host);
  if (!e) return hipErrorInvalidDeviceFunction;
  if (!e->kernel || !e->module->loaded) {
    int error = load_module(e->module);
    if (error) return error;
    e->kernel = NULL;
    for (uint64_t i = 0; i < e->module->kernel_count; i++)
      if (!strcmp(e->module->kernels[i].name, e->name)) e->kernel = &e->module->kernels[i];
  }
  *out = e->kernel;
  return e->kernel ? hipSuccess : hipErrorInvalidDeviceFunction;
}

// kernel_of is find_kernel for who has not got dev_lock.
static int kernel_of(const void *host, hip_kernel **out) {
  dev_lock();
  int error = find_kernel(host, out);
  dev_unlock();
  return error;
}

static int find_variable(const void *host, uint64_t *addr, uint64_t *size) {
  hip_entry *e = entry_of(host);
  if (!e) return hipErrorInvalidSymbol;
  int error = load_module(e->module);
  if (error) return error;
  hip_symbol *s = symbol_of(e->module, e->name);
  if (!s) return hipErrorInvalidSymbol;
  *addr = s->addr;
  *size = s->size;
  return hipSuccess;
}

// What clang's host code calls.

void **__hipRegisterFatBinary(const void *data) {
  const struct {
    uint32_t magic, version;
    const unsigned char *binary;
    void *unused;
  } *wrapper = data;
  hip_module *m = calloc(1, sizeof *m);
  if (!m) abort();
  enum { HIPF = 0x48495046 };
  if (wrapper->magic == HIPF) {
    m->image = wrapper->binary;
    m->image_size = file_size(wrapper->binary);
  }
  dev_lock();
  *modules_end = m;
  modules_end = &m->next;
  dev_unlock();
  return (void **)m;
}

// __hipUnregisterFatBinary: a library that was loaded goes, or the program ends. What the device has of
// the module stays, for destructors that come later; what lies in the library is not used any more.
void __hipUnregisterFatBinary(void **module) {
  hip_module *m = (hip_module *)module;
  dev_lock();
  m->gone = 1;
  m->managed = NULL;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    for (hip_entry *e = entries[i]; e; e = e->next)
      if (e->module == m && !(e->name = strdup(e->name))) abort();
  dev_unlock();
}

void __hipRegisterFunction(void **module, const void *host, char *device, const char *name,
                           unsigned limit, void *tid, void *bid, dim3 *block, dim3 *grid, int *wave) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)wave;
  dev_lock();
  add_entry(host, name, (hip_module *)module);
  dev_unlock();
}

void __hipRegisterVar(void **module, void *host, char *hostName, char *name, int external, size_t size,
                      int constant, int global) {
  (void)hostName, (void)external, (void)size, (void)constant, (void)global;
  dev_lock();
  add_entry(host, name, (hip_module *)module);
  dev_unlock();
}

void __hipRegisterManagedVar(void *module, void **pointer, void *init, const char *name, size_t size,
                             unsigned align) {
  dev_lock();
  hip_managed *v = calloc(1, sizeof *v);
  if (!v) abort();
  *v = (hip_managed){pointer, name, init, size, align, ((hip_module *)module)->managed};
  new_managed(v);
  ((hip_module *)module)->managed = v;
  add_entry(pointer, name, (hip_module *)module);
  dev_unlock();
}

// Modules.

// load_image loads a module. why, if it is not NULL, gets a copy of what is wrong with it.
static int load_image(hipModule_t *out, const void *image, size_t size, int own, char **why) {
  hip_module *m = calloc(1, sizeof *m);
  if (!m) abort();
  m->image = image;
  m->image_size = size;
  m->own = own;
  dev_lock();
  int error = load_module(m);
  if (error && why && m->loaded) *why = strdup(dev.message);
  dev_unlock();
  if (!error) {
    *out = m;
    dev_made("module", (uintptr_t)m);
    return hipSuccess;
  }
  if (own) free((void *)image);
  free(m);
  return error;
}

int hipModuleLoadData(hipModule_t *out, const void *image) {
  if (!out || !image) return hip_done(hipErrorInvalidValue);
  return hip_done(load_image(out, image, file_size(image), 0, NULL));
}

// is_gone reports whether a module was unloaded, where somebody wants to know.
static int is_gone(hipModule_t m) {
  dev_thing *t = dev.checked & CHECK_API ? dev_thing_of((uintptr_t)m) : NULL;
  if (!t || !t->is_gone) return 0;
  dev_because_of("module", m);
  return 1;
}

// Options of a module that have a log: where it is, which the option with the next number says the size of,
// and gets what was written.
enum { hipJitOptionInfoLogBuffer = 3, hipJitOptionErrorLogBuffer = 5 };

static void **jit_value(unsigned n, const int *options, void **values, int option) {
  for (unsigned i = 0; i < n; i++)
    if (options[i] == option) return &values[i];
  return NULL;
}

// fill_log writes a text into a log, as much of it as fits.
static void fill_log(unsigned n, const int *options, void **values, int option, const char *text) {
  void **log = jit_value(n, options, values, option), **size = jit_value(n, options, values, option + 1);
  if (!log || !*log || !size || !*size) return;
  *size = (void *)(uintptr_t)snprintf(*log, (size_t)*size, "%.*s", (int)((size_t)*size - 1), text);
}

int hipModuleLoadDataEx(hipModule_t *out, const void *image, unsigned n, int *options, void **values) {
  if (!out || !image || (n && (!options || !values))) return hip_done(hipErrorInvalidValue);
  char *why = NULL;
  int error = load_image(out, image, file_size(image), 0, &why);
  fill_log(n, options, values, hipJitOptionInfoLogBuffer, "");
  fill_log(n, options, values, hipJitOptionErrorLogBuffer, why ? why : "");
  free(why);
  return hip_done(error);
}

int hipModuleLoad(hipModule_t *out, const char *name) {
  FILE *f = name ? fopen(name, "rb") : NULL;
  if (!f || !out) {
    if (f) fclose(f);
    return hip_done(hipErrorFileNotFound);
  }
  long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
  unsigned char *data = size > 0 ? malloc((size_t)size) : NULL;
  rewind(f);
  int ok = data && fread(data, 1, (size_t)size, f) == (size_t)size;
  fclose(f);
  if (!ok) {
    free(data);
    return hip_done(hipErrorInvalidImage);
  }
  return hip_done(load_image(out, data, (size_t)size, 1, NULL));
}

int hipModuleUnload(hipModule_t m) {
  if (!m) return hip_done(hipErrorInvalidValue);
  if (is_gone(m)) return hip_done(hipErrorInvalidResourceHandle);
  dev_lock();
  hip_idle();
  dev_begin();
  put_u64(m->id);
  enum dev_status s = dev_request(OP_UNLOAD);
  unload_module(m);
  dev_unlock();
  if (m->own) free((void *)m->image);
  dev_gone((uintptr_t)m);
  dev_drop(m);
  return hip_done(hip_error(s));
}

int hipModuleGetFunction(hipFunction_t *out, hipModule_t m, const char *name) {
  if (!out || !m || !name) return hip_done(hipErrorInvalidValue);
  if (is_gone(m)) return hip_done(hipErrorInvalidResourceHandle);
  for (uint64_t i = 0; i < m->kernel_count; i++) {
    if (strcmp(m->kernels[i].name, name)) continue;
    *out = &m->kernels[i];
    return hipSuccess;
  }
  return hip_done(hipErrorNotFound);
}

int hipModuleGetGlobal(void **addr, size_t *size, hipModule_t m, const char *name) {
  if (!name || !*name || (!addr && !size)) return hip_done(hipErrorInvalidValue);
  hip_symbol *s = m ? symbol_of(m, name) : NULL;
  if (!s) return hip_done(m ? hipErrorNotFound : hipErrorInvalidResourceHandle);
  if (addr) *addr = (void *)(uintptr_t)s->addr;
  if (size) *size = s->size;
  return hipSuccess;
}

int hipGetFuncBySymbol(hipFunction_t *out, const void *host) {
  hip_kernel *k = NULL;
  int error = kernel_of(host, &k);
  if (!error && out) *out = k;
  return hip_done(error);
}

// Variables.

int hipGetSymbolAddress(void **out, const void *symbol) {
  if (!out) return hip_done(hipErrorInvalidValue);
  uint64_t addr = 0, size;
  dev_lock();
  int error = find_variable(symbol, &addr, &size);
  dev_unlock();
  if (!error) *out = (void *)(uintptr_t)addr;
  return hip_done(error);
}

int hipGetSymbolSize(size_t *out, const void *symbol) {
  if (!out) return hip_done(hipErrorInvalidValue);
  uint64_t addr, size = 0;
  dev_lock();
  int error = find_variable(symbol, &addr, &size);
  dev_unlock();
  if (!error) *out = size;
  return hip_done(error);
}
