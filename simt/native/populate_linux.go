package native

import "syscall"

// populate has the system find memory for all pages of code at once, not when each is written.
const populate = syscall.MAP_POPULATE
