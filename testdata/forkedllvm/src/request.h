// What a client asks of a server: to go on with these arguments and variables. They follow, each with its 0
// byte; with the request itself go four files: what the tool reads, prints to and complains to, and the folder
// it works in. The answer is the tool's status as waitpid gives it, an int.
#include <stdint.h>

struct request {
  uint32_t size, arguments, variables; // bytes of all texts, and how many there are
  uint32_t mask;                       // umask's
};

enum { files = 4, broken = 126 }; // broken is the status of what could not be asked
