// A client stands where a tool does in the PATH: it has the tool's server fork one, and ends as that does. If
// it is ended itself, the server ends the tool. Without a server it becomes the tool.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "request.h"

// reach connects with the server of a tool, or gives -1.
static int reach(const char *tool) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  const char *folder = getenv("FORKEDLLVM");
  if (!folder || snprintf(at.sun_path, sizeof at.sun_path, "%s/%s", folder, tool) >= (int)sizeof at.sun_path)
    return -1;
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server >= 0 && connect(server, (struct sockaddr *)&at, sizeof at)) {
    close(server);
    return -1;
  }
  return server;
}

// become runs the tool itself, which is linked to beside the folder of clients.
static int become(const char *tool, char **argv) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n < 0 ? 0 : n] = 0;
  char *folder = strrchr(path, '/');
  if (folder && snprintf(folder, path + sizeof path - folder, "/../real/%s", tool) < path + sizeof path - folder)
    execv(path, argv);
  perror(tool);
  return broken;
}

static char *append(char *end, char **texts, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) end = stpcpy(end, texts[i]) + 1;
  return end;
}

// ask sends a request, and reports whether all of it went.
static int ask(int server, int argc, char **argv, char **envp) {
  struct request q = {.arguments = argc};
  umask(q.mask = umask(0));
  for (int i = 0; i < argc; i++) q.size += strlen(argv[i]) + 1;
  for (; envp[q.variables]; q.variables++) q.size += strlen(envp[q.variables]) + 1;
  char *texts = malloc(q.size);
  append(append(texts, argv, argc), envp, q.variables);
  int given[files] = {0, 1, 2, open(".", O_PATH | O_CLOEXEC)};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof given)];
  } control = {.header = {CMSG_LEN(sizeof given), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), given, sizeof given);
  struct iovec part = {&q, sizeof q};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                           .msg_controllen = sizeof control};
  if (sendmsg(server, &message, MSG_NOSIGNAL) != sizeof q) return 0;
  for (uint32_t sent = 0; sent < q.size;) {
    ssize_t n = send(server, texts + sent, q.size - sent, MSG_NOSIGNAL);
    if (n <= 0) return 0;
    sent += n;
  }
  return 1;
}

int main(int argc, char **argv, char **envp) {
  const char *tool = strrchr(argv[0], '/');
  tool = tool ? tool + 1 : argv[0];
  // A file that is closed here would be another one there.
  int open = fcntl(0, F_GETFD) >= 0 && fcntl(1, F_GETFD) >= 0 && fcntl(2, F_GETFD) >= 0;
  int server = open ? reach(tool) : -1, status;
  if (server < 0 || !ask(server, argc, argv, envp)) return become(tool, argv);
  if (read(server, &status, sizeof status) != sizeof status) {
    fprintf(stderr, "%s: its server has ended\n", tool);
    return broken;
  }
  if (WIFSIGNALED(status)) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}
