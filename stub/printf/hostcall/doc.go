// Package hostcall is the host's side of ROCm's hostcall service, by which HIP
// kernels print, fail assertions and get memory while they run: a wave fills a
// packet, pushes it on a stack, rings a doorbell and waits for its answer.
//
// An Area is the memory that the two sides share; New lays it out and Serve
// answers the packets that are ready. A Service keeps what calls of several
// packets have said so far, and says what the kernel wants done. Both are
// functions of bytes: the package knows no machine and no debugger. Nothing
// that the kernel wrote is trusted.
//
// Sources: ROCm's device libraries (ockl/src/hostcall.cl, services.cl) and the
// host's side in its HIP runtime (device/devhcmessages.cpp,
// device/devhostcall.cpp).
package hostcall
