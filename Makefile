# simtgdb: build, try, test. `make demo` and `make test` install what is
# missing when they run as root on Debian, and otherwise say what to install.

GO       ?= go
# Compilers and tests that collect garbage less often have a quarter less work, for some more memory.
QUICK_GO = GOGC=400 $(GO)
# The program is static, as a released one is: it starts sooner, by a tenth, and no C compiler has a part in it.
export CGO_ENABLED = 0
# What takes longest to test comes first, so that it does not run alone at the end.
PACKAGES  = ./stub/cmd/simtgdb ./... ./testdata ./testdata/reference ./testdata/gen ./testdata/printf ./testdata/bench ./testdata/bench/randprog ./testdata/built ./testdata/forkedgdb ./testdata/installed ./testdata/lint ./testdata/mutants ./testdata/slowest ./testdata/sweep
FUZZTIME ?= 2m

.PHONY: build install demo test check-all check-suite bench bench-peers bench-shaders bench-checks random random-defects samples stranger later mutants race cross fuzz fmt vet lint gdb-for-demo tools-for-test tools-for-all-tests

build:
	$(QUICK_GO) build -o bin/simtgdb ./stub/cmd/simtgdb

# install puts the program where the PATH finds it: PREFIX is /usr/local for root, else ~/.local.
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
install: build
	install -D -m 755 bin/simtgdb '$(DESTDIR)$(PREFIX)/bin/simtgdb'

demo: gdb-for-demo build
	gdb -nx -batch -x testdata/gdb/demo.gdb
	@cat testdata/demo-ends.txt

# A gdb that keeps its own Python modules compiled, which it does unless told otherwise, starts in three quarters of the
# time.
unexport PYTHONDONTWRITEBYTECODE
# Memory that tests give back while garbage comes and goes stays theirs until the system wants it, and garbage is collected
# before it has taken much: where taking a page anew is dear, as in a virtual machine, tests of machines have up to half
# the work, and a sixth of the pages. Less memory than this would more than double the time that Go's compiler takes for
# the tests of simt/gcn. Other compilers and debuggers ask for large pages. Tests wait for each other's programs: one more
# package than there are processors at a time keeps these busy. They start the program that was built.
test: tools-for-test build vet
	@SIMTGDB_BUILT=1 GLIBC_TUNABLES=glibc.malloc.hugetlb=1 GODEBUG=madvdontneed=0 GOMEMLIMIT=512MiB $(QUICK_GO) test -vet=off -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -json -timeout 40m $(PACKAGES) | $(GO) run ./testdata/slowest
	@$(absent)

vet:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	$(QUICK_GO) vet $(PACKAGES)

# lint looks for what a reader or a compiler would stumble over: vet, staticcheck, code that nothing reaches, and lists of
# what is too long (testdata/lint), which `make test` looks at too.
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE    ?= $(GO) run golang.org/x/tools/cmd/deadcode@v0.52.0
lint: vet
	$(STATICCHECK) $(PACKAGES)
	@dead=$$($(DEADCODE) -test $(PACKAGES)); test -z "$$dead" || { echo "$$dead"; exit 1; }
	$(GO) run ./testdata/lint

# check-all runs the tests of every package that sweeps (testdata/sweep). `make test` tests each behaviour once, for each
# family of machines where the machine matters; here that is repeated for all processors, levels, programs and more random
# numbers. Tests look for defects in every correct program of testdata, where there are none, make all objects anew, and
# write down in testdata/built/sums.txt that these are what they should be.
check-all:
	GLIBC_TUNABLES=glibc.malloc.hugetlb=1 SIMTGDB_SWEEP=all $(QUICK_GO) test -vet=off -count 1 -p 1 -timeout 120m \
	  $$($(GO) list -test -f '{{range .Deps}}{{if eq . "simtgdb/testdata/sweep"}}{{$$.ForTest}}{{end}}{{end}}' $(PACKAGES) | sort -u)

# check-suite runs testdata's launch files and gdb scripts as simtgdb test does for anybody's.
check-suite: build
	bin/simtgdb test testdata

bench:
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

# bench-peers measures five programs on each machine and with PoCL, from the same source, in one run.
RUNS ?= 9
bench-peers:
	@$(call need,gcc:gcc /etc/OpenCL/vendors/pocl.icd:pocl-opencl-icd /usr/include/CL/cl.h:ocl-icd-opencl-dev)
	@t=$$(mktemp -d) && trap 'rm -rf "$$t"' EXIT && \
	  gcc -O2 testdata/bench/peer/opencl.c -lOpenCL -o "$$t/opencl" && \
	  $(GO) build -o "$$t/bench" ./testdata/bench && cd testdata/bench && \
	  for m in gfx90a gfx1100 gen9 ptx spirv; do \
	    echo "$$m:" && "$$t/bench" -target $$m -runs $(RUNS) -peer "$$t/opencl" && \
	    echo "$$m, as under a debugger, with one breakpoint:" && "$$t/bench" -target $$m -runs $(RUNS) -debugged || exit 1; \
	  done

# bench-shaders measures three compute shaders of SPIR-V and, in one run, lavapipe with them.
bench-shaders:
	@$(call need,gcc:gcc /usr/share/vulkan/icd.d/lvp_icd.x86_64.json:mesa-vulkan-drivers /usr/include/vulkan/vulkan.h:libvulkan-dev)
	@t=$$(mktemp -d) && trap 'rm -rf "$$t"' EXIT && \
	  gcc -O2 testdata/spirv/bench/vulkan.c -lvulkan -o "$$t/vulkan" && \
	  $(GO) build -o "$$t/bench" ./testdata/bench && cd testdata/bench && \
	  VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json "$$t/bench" -target shaders -runs $(RUNS) -peer "$$t/vulkan"

# bench-checks prints how many times as long the kernels of bench-peers take with each kind of check, on one processor.
KINDS ?= race,uninit,bounds,undefined,wait,all
bench-checks:
	@t=$$(mktemp -d) && trap 'rm -rf "$$t"' EXIT && $(GO) build -o "$$t/bench" ./testdata/bench && cd testdata/bench && \
	  for m in gfx90a gen9 ptx spirv; do "$$t/bench" -target $$m -workers 1 -runs $(RUNS) -checks $(KINDS) || exit 1; done

# random compares PROGRAMS random OpenCL programs, from FIRST on, on every machine with what the host makes of them.
# MACHINES are some of them: gen8,gen,gen11,gen12lp,xe-hpg,xe-hpc.
# REDUCE is a folder that programs whose results differ are left in, made small; FLAGS are further ones of the test:
# -quick -levels O0,O2.
PROGRAMS ?= 100
FIRST ?= 0
random: tools-for-test
	$(GO) test ./testdata/bench -run TestRandomPrograms -timeout 120m -programs $(PROGRAMS) -first-program $(FIRST) \
	  $(if $(MACHINES),-machines $(MACHINES)) \
	  $(if $(REDUCE),-reduce $(abspath $(REDUCE))) $(FLAGS)

# random-defects puts defects into PROGRAMS random OpenCL programs, from FIRST on, for every machine: checkers must find each,
# and nothing in the same programs without.
random-defects: tools-for-test
	$(GO) test ./testdata/bench -run TestRandomDefects -timeout 120m -programs $(PROGRAMS) -first-program $(FIRST)

# samples compares 10,000 random samples of images for each format, address mode and filter with a reference.
samples:
	SIMTGDB_SAMPLES=10000 $(GO) test ./simt/texel -run TestRandomSamples -timeout 60m
	SIMTGDB_SAMPLES=10000 $(GO) test ./stub/cmd/simtgdb -run TestSamplesLike -timeout 60m

# stranger does in a fresh Debian what the README says, as root.
stranger:
	testdata/stranger.sh

# later compiles the programs of the tests for every processor of gfx10 to gfx1250 and runs them.
later:
	SIMTGDB_LATER=all $(GO) test -count 1 ./stub/cmd/simtgdb -run TestRunLaterAll -timeout 30m

# mutants changes the meaning of single places of the machine, and says which changes no test notices.
mutants:
	$(GO) run ./testdata/mutants

# race looks for data races where several processors run one program: ahead of a debugger, and freely; and between a
# session and who sends to it.
race: export CGO_ENABLED = 1
race:
	$(GO) test -race -timeout 30m ./stub/launch -run 'AdvanceFar|History'
	$(GO) test -race -timeout 30m ./stub -run 'TestFar'
	$(GO) test -race -timeout 30m ./simt ./rsp ./stub/device
	$(GO) test -race -timeout 30m ./simt/ptx ./simt/spirv -run 'Kernels|TestShared|TestMandel|TestBlur|TestHistogram'

# cross builds the program for a release, one file for each system and processor of 64 bits that needs no other
# file, with their checksums. exec works on Linux on x86-64 and AArch64 alone, gdb wherever there is a /bin/sh.
CROSS ?= linux/amd64 linux/arm64 linux/riscv64 darwin/arm64 freebsd/amd64 windows/amd64
cross:
	@mkdir -p bin/release && cd bin/release && rm -f simtgdb-* && cd ../.. && for p in $(CROSS); do \
	  o=bin/release/simtgdb-$${p%/*}-$${p#*/}; case $$p in windows/*) o=$$o.exe;; esac; \
	  echo "$$o"; GOOS=$${p%/*} GOARCH=$${p#*/} \
	    $(GO) build -trimpath -ldflags '-s -w' -o $$o ./stub/cmd/simtgdb || exit 1; \
	done; cd bin/release && sha256sum simtgdb-* >SHA256SUMS

# fuzz runs each fuzz target for FUZZTIME.
fuzz:
	@for p in $$($(GO) list $(PACKAGES)); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
	  done; done

fmt:
	gofmt -w .

# need PACKAGE-OF-PROGRAM...: the programs, or files, are there, or their Debian
# packages get installed, or the user is told which.
define need
	@missing=; \
	for p in $(1); do command -v $${p%%:*} >/dev/null 2>&1 || test -e $${p%%:*} || missing="$$missing $${p##*:}"; done; \
	test -z "$$missing" && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing$$missing"; \
	  apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing >/dev/null; \
	else \
	  echo "Please install:$$missing (Debian: apt-get install$$missing)" >&2; exit 1; \
	fi
endef

gdb-for-demo:
	$(call need,gdb:gdb)

# What tests must have, and what they are skipped without (30 MB).
needed = gdb:gdb gdb-multiarch:gdb-multiarch llvm-mc-22:llvm-22 clang-22:clang-22 ld.lld-22:lld-22 \
  /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc:rocm-device-libs gcc:gcc readelf:binutils
welcome = iga64:libigc-tools spirv-dis:spirv-tools gfortran:gfortran c++:g++ \
  /usr/include/hip/hip_runtime.h:libamdhip64-dev clang-offload-bundler-22:clang-tools-22 \
  glslangValidator:glslang-tools /usr/lib/python3/dist-packages/mpmath:python3-mpmath \
  /usr/lib/x86_64-linux-gnu/libOpenCL.so.1:ocl-icd-libopencl1 \
  /usr/include/vulkan/vulkan.h:libvulkan-dev

# All are installed at once, which is quickest; where that fails, what must be there by itself.
tools-for-test:
	-@$(call need,$(needed) $(welcome))
	$(call need,$(needed))

# What only some tests ask: compilers that make objects anew, to notice drift, PoCL, and a browser.
extras = clang-15:clang-15 llvm-spirv-15:llvm-spirv-15 ocloc:intel-opencl-icd \
  /etc/OpenCL/vendors/pocl.icd:pocl-opencl-icd chromium:chromium /usr/lib/clc/nvptx64--nvidiacl.bc:libclc-22 \
  /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json:vulkan-validationlayers qemu-aarch64:qemu-user

# tools-for-all-tests installs what no test must have (1 GB).
tools-for-all-tests: tools-for-test
	$(call need,$(extras))

# absent names the programs without which tests have been skipped.
define absent
	for p in $(extras); do command -v $${p%%:*} >/dev/null 2>&1 || test -e $${p%%:*} || \
	  echo "Tests that ask $${p##*:} have been skipped: make tools-for-all-tests installs it."; done
endef
