// libamdhip64 as one unit of compilation: its files share the state of
// transport.h.
#include "hip.c"
#include "hip_device.c"
#include "hip_launch.c"
#include "hip_memory.c"
#include "hip_pool.c"
#include "hip_stream.c"
#include "hip_graph.c"
#include "hip_graph_nodes.c"
#include "hip_more.c"
#include "hiprtc.c"
#include "hip_missing.c"
