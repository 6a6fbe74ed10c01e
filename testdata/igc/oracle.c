// Runs every kernel of kernels.txt on an OpenCL CPU device and writes what it leaves in its out: buffers, one after
// the other, to OUTPUT/PROGRAM.KERNEL.bin. Grids with partial workgroups, which PoCL does not launch, are left out.
//
//	usage: oracle KERNELS.TXT SOURCE-FOLDER OUTPUT-FOLDER
//
// Built by build.sh against libOpenCL.so.1 alone: the few declarations it needs are its own.
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle;
int clGetPlatformIDs(unsigned, handle *, unsigned *);
int clGetDeviceIDs(handle, uint64_t, unsigned, handle *, unsigned *);
handle clCreateContext(const void *, unsigned, handle *, void *, void *, int *);
handle clCreateCommandQueue(handle, handle, uint64_t, int *);
handle clCreateProgramWithSource(handle, unsigned, const char **, const size_t *, int *);
int clBuildProgram(handle, unsigned, const handle *, const char *, void *, void *);
handle clCreateKernel(handle, const char *, int *);
handle clCreateBuffer(handle, uint64_t, size_t, void *, int *);
int clSetKernelArg(handle, unsigned, size_t, const void *);
int clEnqueueNDRangeKernel(handle, handle, unsigned, const size_t *, const size_t *, const size_t *, unsigned, void *,
                           void *);
int clEnqueueReadBuffer(handle, handle, unsigned, size_t, size_t, void *, unsigned, void *, void *);
int clFinish(handle);

enum { DEVICE_CPU = 2, READ_WRITE = 1, COPY = 32 };

static void check(int rc, const char *what) {
	if (rc != 0) {
		fprintf(stderr, "%s: error %d\n", what, rc);
		exit(1);
	}
}

static uint64_t splitmix(uint64_t *state) {
	uint64_t z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void *fill(const char *type, int count, uint64_t seed, size_t *size) {
	int width = atoi(type + 1) / 8;
	char *data = malloc(*size = (size_t)count * width);
	for (int i = 0; i < count; i++) {
		uint64_t x = splitmix(&seed);
		float f = (float)(x >> 40) / (1 << 24);
		double d = (double)(x >> 11) / ((uint64_t)1 << 53);
		const void *from = type[0] != 'f' ? (void *)&x : width == 4 ? (void *)&f : (void *)&d;
		memcpy(data + i * width, from, width);
	}
	return data;
}

static int dims(char *text, size_t *out) {
	int n = 0;
	for (char *p = strtok(text, ","); p; p = strtok(NULL, ","))
		out[n++] = strtoul(p, NULL, 10);
	return n;
}

static handle context, device, queue;

// These kernels are compiled as C: PoCL's compiler does not end on recursion.
#define kernel
#define global
#define uint unsigned
static size_t native_id;
static size_t get_global_id(int dimension) { return native_id; }
#include "src/calls.cl"

// The conversions of convert.cl, as C has them.
static float rounded(int v, int mode) {
	volatile int from = v; // so that the conversion stays where it is
	fesetround(mode);
	volatile float f = from;
	fesetround(FE_TONEAREST);
	return f;
}
static double clamped(double v, double lo, double hi) { return v < lo ? lo : v > hi ? hi : v; }
static int as_int(float f) {
	int i;
	memcpy(&i, &f, sizeof i);
	return i;
}
#define convert_int_rte(x) ((int)rintf(x))
#define convert_int_rtz(x) ((int)truncf(x))
#define convert_int_rtp(x) ((int)ceilf(x))
#define convert_int_rtn(x) ((int)floorf(x))
#define convert_char_sat(x) ((int)clamped(truncf(x), -128, 127))
#define convert_uchar_sat(x) ((int)clamped(truncf(x), 0, 255))
#define convert_short_sat_rte(x) ((int)clamped(rintf(x), -32768, 32767))
#define convert_ushort_sat(x) ((int)clamped(truncf(x), 0, 65535))
#define convert_int_sat(x) ((int)clamped(truncf(x), INT32_MIN, INT32_MAX))
#define convert_uint_sat(x) ((uint32_t)clamped(truncf(x), 0, UINT32_MAX))
#define convert_long_sat(x) ((x) >= 0x1p63f ? INT64_MAX : (x) <= -0x1p63f ? INT64_MIN : (int64_t)(x))
#define convert_float_rtp(x) rounded(x, FE_UPWARD)
#define convert_float_rtn(x) rounded(x, FE_DOWNWARD)
#define convert_float_rtz(x) rounded(x, FE_TOWARDZERO)
#define convert_float(x) ((float)(x))
#include "src/convert.cl"

static int native(const char *name, void **data, size_t items) {
	for (native_id = 0; native_id < items; native_id++) {
		if (!strcmp(name, "recurse"))
			recurse(data[0], data[1]);
		else if (!strcmp(name, "fibonacci"))
			fibonacci(data[0]);
		else if (!strcmp(name, "mutual"))
			mutual(data[0], data[1]);
		else if (!strcmp(name, "structs"))
			structs(data[0], data[1], *(struct point *)data[2]);
		else if (!strcmp(name, "deep"))
			deep(data[0]);
		else if (!strcmp(name, "conversions"))
			conversions(data[0], data[1]);
		else
			return 0;
	}
	return 1;
}
#undef kernel

static handle build(const char *folder, const char *program) {
	static char text[1 << 16];
	char path[4096];
	int rc;
	snprintf(path, sizeof path, "%s/%s.cl", folder, program);
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(1);
	}
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	const char *source = text;
	handle p = clCreateProgramWithSource(context, 1, &source, &n, &rc);
	check(rc, path);
	check(clBuildProgram(p, 1, &device, "-cl-std=CL3.0 -DREFERENCE", NULL, NULL), path);
	return p;
}

static void launch(handle program, char *line, const char *output, const char *name) {
	char kernel[64], grid_text[64], block_text[64], path[4096];
	int used, rc, outs = 0;
	size_t grid[3], block[3];
	struct { handle buffer; size_t size; } out[8];
	sscanf(line, "%*s %63s %63s %63s%n", kernel, grid_text, block_text, &used);
	int n = dims(grid_text, grid);
	dims(block_text, block);
	for (int i = 0; i < n; i++)
		if (grid[i] % block[i])
			return;
	handle k = clCreateKernel(program, kernel, &rc);
	check(rc, kernel);
	void *args[8];
	unsigned index = 0;
	char *save, *arg = strtok_r(line + used, " \n", &save);
	for (; arg; arg = strtok_r(NULL, " \n", &save), index++) {
		char *value = strchr(arg, ':') + 1;
		size_t size;
		if (!strncmp(arg, "out:", 4) || !strncmp(arg, "in:", 3)) {
			void *data;
			if (arg[0] == 'i') {
				char type[8];
				int count;
				unsigned long seed;
				sscanf(value, "%7[^:]:%d:%lu", type, &count, &seed);
				data = fill(type, count, seed, &size);
			} else {
				data = calloc(size = strtoul(value, NULL, 10), 1);
			}
			args[index] = data;
			handle b = clCreateBuffer(context, READ_WRITE | COPY, size, data, &rc);
			check(rc, arg);
			check(clSetKernelArg(k, index, sizeof b, &b), arg);
			if (arg[0] == 'o') {
				out[outs].buffer = b;
				out[outs++].size = size;
			}
		} else if (!strncmp(arg, "local:", 6)) {
			check(clSetKernelArg(k, index, strtoul(value, NULL, 10), NULL), arg);
		} else if (!strncmp(arg, "hex:", 4)) {
			static unsigned char bytes[256];
			for (size = 0; value[2 * size]; size++)
				sscanf(value + 2 * size, "%2hhx", &bytes[size]);
			args[index] = bytes;
			check(clSetKernelArg(k, index, size, bytes), arg);
		} else {
			int32_t i = strtoll(value, NULL, 10);
			float f = strtof(value, NULL);
			check(clSetKernelArg(k, index, 4, arg[0] == 'f' ? (void *)&f : &i), arg);
		}
	}
	int here = native(kernel, args, grid[0]);
	if (!here) {
		check(clEnqueueNDRangeKernel(queue, k, n, NULL, grid, block, 0, NULL, NULL), kernel);
		check(clFinish(queue), kernel);
	}
	snprintf(path, sizeof path, "%s/%s.%s.bin", output, name, kernel);
	FILE *f = fopen(path, "wb");
	for (int i = 0; i < outs; i++) {
		void *data = here ? args[i] : malloc(out[i].size);
		if (!here)
			check(clEnqueueReadBuffer(queue, out[i].buffer, 1, 0, out[i].size, data, 0, NULL, NULL), kernel);
		fwrite(data, 1, out[i].size, f);
	}
	fclose(f);
}

int main(int argc, char **argv) {
	handle platforms[8], program = NULL;
	unsigned n;
	int rc;
	char line[1024], name[64], last[64] = "";
	check(clGetPlatformIDs(8, platforms, &n), "platforms");
	for (unsigned i = 0; i < n && !device; i++)
		if (clGetDeviceIDs(platforms[i], DEVICE_CPU, 1, &device, NULL))
			device = NULL;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	check(rc, "context");
	queue = clCreateCommandQueue(context, device, 0, &rc);
	check(rc, "queue");
	FILE *f = fopen(argv[1], "r");
	while (argc == 4 && f && fgets(line, sizeof line, f)) {
		if (line[0] == '#' || sscanf(line, "%63s", name) != 1)
			continue;
		if (strcmp(name, last))
			program = build(argv[2], strcpy(last, name));
		launch(program, line, argv[3], name);
	}
	return 0;
}
