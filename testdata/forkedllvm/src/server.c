// This library, loaded before all others into a tool of LLVM's, makes it a server: when all is loaded and bound,
// and before main, it waits for clients and forks for each of them a process in which main goes on with the
// client's arguments, variables, files and folder. Tools that such a process starts are clients again.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "request.h"

typedef int program(int, char **, char **);

enum { most = 64 }; // so many tools run at once, others wait

static program *tool;             // main of the tool
static char clients[PATH_MAX];    // the folder of clients, for tools that this one starts
static int listening = -1;        // where clients ask
static int running;               // how many tools there are
static struct {
  int client;
  pid_t process;
} forked[most];

static int read_all(int from, char *to, size_t n) {
  while (n > 0) {
    ssize_t got = read(from, to, n);
    if (got <= 0) return 0;
    to += got, n -= got;
  }
  return 1;
}

// go_on is the tool for one client, in a process of its own.
static int go_on(int client) {
  struct request q;
  int given[files];
  char control[CMSG_SPACE(sizeof given)];
  struct iovec part = {&q, sizeof q};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
                           .msg_controllen = sizeof control};
  if (recvmsg(client, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof q) _exit(broken);
  struct cmsghdr *c = CMSG_FIRSTHDR(&message);
  if (!c || c->cmsg_len != CMSG_LEN(sizeof given)) _exit(broken);
  memcpy(given, CMSG_DATA(c), sizeof given);
  char *text = malloc(q.size), **words = calloc((size_t)q.arguments + q.variables + 2, sizeof *words);
  if (!read_all(client, text, q.size) || fchdir(given[files - 1])) _exit(broken);
  for (uint32_t i = 0; i < q.arguments + q.variables; i++, text += strlen(text) + 1)
    words[i + (i >= q.arguments)] = text; // a null pointer is between the two
  for (int i = 0; i < files - 1; i++) dup2(given[i], i);
  for (int i = 0; i < files; i++) close(given[i]);
  close(client);
  umask(q.mask);
  environ = words + q.arguments + 1;
  return tool(q.arguments, words, environ);
}

// tell tells clients how their tools have ended.
static void tell(int signals) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) > 0) {
  }
  int status;
  for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
    for (int i = 0; i < running; i++)
      if (forked[i].process == ended) {
        send(forked[i].client, &status, sizeof status, MSG_NOSIGNAL);
        close(forked[i].client);
        forked[i] = forked[--running];
        break;
      }
}

// serve is main of a server.
static int serve(int, char **, char **) {
  sigset_t children, before;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, &before);
  int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  struct pollfd at[2 + most];
  for (;;) {
    at[0] = (struct pollfd){.fd = running < most ? listening : -1, .events = POLLIN};
    at[1] = (struct pollfd){.fd = signals, .events = POLLIN};
    for (int i = 0; i < running; i++) at[2 + i] = (struct pollfd){.fd = forked[i].client, .events = POLLRDHUP};
    if (poll(at, 2 + running, -1) < 0) continue;
    for (int i = 0; i < running; i++)
      if (at[2 + i].revents) kill(forked[i].process, SIGKILL); // its client is gone
    if (at[1].revents) tell(signals);
    int client = at[0].revents ? accept4(listening, NULL, NULL, SOCK_CLOEXEC) : -1;
    if (client < 0) continue;
    pid_t server = getpid(), process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != server) _exit(broken);
      for (int i = 0; i < running; i++) close(forked[i].client);
      close(listening);
      close(signals);
      sigprocmask(SIG_SETMASK, &before, NULL);
      return go_on(client);
    }
    forked[running].client = client;
    forked[running++].process = process;
  }
}

int __libc_start_main(program *main, int argc, char **argv, void *init, void *fini, void *linker, void *stack) {
  typeof(__libc_start_main) *start = dlsym(RTLD_NEXT, "__libc_start_main");
  const char *number = getenv("FORKEDLLVM_LISTEN"), *folder = getenv("FORKEDLLVM_CLIENTS");
  if (number && folder && strlen(folder) < sizeof clients) {
    listening = atoi(number);
    strcpy(clients, folder);
    tool = main;
    main = serve;
  }
  return start(main, argc, argv, init, fini, linker, stack);
}

// posix_spawn starts, for a tool that lies beside this one, its client.
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
  typeof(posix_spawn) *spawn = dlsym(RTLD_NEXT, "posix_spawn");
  char own[PATH_MAX], other[PATH_MAX], client[2 * PATH_MAX];
  if (realpath("/proc/self/exe", own) && realpath(path, other)) {
    *strrchr(own, '/') = *strrchr(other, '/') = 0;
    const char *name = strrchr(path, '/');
    snprintf(client, sizeof client, "%s%s", clients, name ? name : "/");
    if (!strcmp(own, other) && name && !access(client, X_OK)) path = client;
  }
  return spawn(process, path, actions, attributes, argv, envp);
}
