// Starts programs under a limit (Confinement.c). Only the new process gets the limit, and not the thread that starts it: Dispatch starts its
// threads from any thread, and they would inherit the limit.
#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

int cfiles_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

// Closes all descriptors but the three streams when the program is started.
static void close_others(void) {
#if defined(__linux__)
  if (syscall(436 /* close_range */, 3, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */) == 0) return;
#endif
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 65536) limit.rlim_cur = 65536;
  for (int descriptor = 3; descriptor < (int)limit.rlim_cur; descriptor++) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

static void limit_resource(int resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur <= value) return;
  limit.rlim_cur = value;
  limit.rlim_max = value;
  setrlimit(resource, &limit);
}

int cfiles_spawn_confined(const char *path, char *const arguments[], char *const environment[], const int streams[3],
                          int confinement) {
  pid_t process = fork();
  if (process != 0) return (int)process;
  // Other threads may have held locks when this copy of the process was made, so only system calls are allowed from here on.
  int moved[3];
  for (int index = 0; index < 3; index++) moved[index] = fcntl(streams[index], F_DUPFD, 3);
  for (int index = 0; index < 3; index++) {
    if (moved[index] < 0 || dup2(moved[index], index) < 0) _exit(126);
  }
  close_others();
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
  limit_resource(RLIMIT_CORE, 0);
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit_resource(RLIMIT_AS, (rlim_t)4 << 30);
#endif
  if (chdir("/") != 0) _exit(126);
  if (confinement >= 0 && cfiles_confinement_apply(confinement, CFILES_PROGRAMS) != 0) _exit(126);
  execve(path, arguments, environment);
  _exit(127);
}
