// Stands for an attacker who runs code in libarchive: a library that is loaded before it (LD_PRELOAD) and replaces one of its functions.
// Each attempt prints its name and "done" or the name of its error to standard error. ESCAPE_FOLDER has a file `secret`.
// With ESCAPE_AT_START, the attempts run when the library is loaded.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>

static void report(const char *name, int failed) {
  dprintf(2, "escape: %s: %s\n", name, failed ? strerrorname_np(errno) : "done");
}

static const char *in(const char *folder, const char *name) {
  static char path[4][4096];
  static int next;
  char *result = path[next = (next + 1) % 4];
  snprintf(result, sizeof path[0], "%s/%s", folder, name);
  return result;
}

static void attempt(const char *outside, const char *inside) {
  report("read a file", open(in(outside, "secret"), O_RDONLY) < 0);
  report("list a folder", opendir(outside) == NULL);
  report("write a file", open(in(outside, "planted"), O_WRONLY | O_CREAT, 0644) < 0);
  report("change a file", open(in(outside, "secret"), O_WRONLY) < 0);
  report("delete a file", unlink(in(outside, "victim")) != 0);
  symlink(in(outside, "secret"), in(inside, "link"));
  report("read through a link", open(in(inside, "link"), O_RDONLY) < 0);
  unlink(in(inside, "link"));
  report("read another process", open("/proc/1/environ", O_RDONLY) < 0);
  report("open a socket", socket(AF_INET, SOCK_STREAM, 0) < 0);
  report("open a UNIX socket", socket(AF_UNIX, SOCK_STREAM, 0) < 0);
  report("make a queue of calls", syscall(425, 1, NULL) < 0 && errno != EFAULT && errno != EINVAL);
  // Otherwise, the program would attack, too.
  unsetenv("ESCAPE_AT_START");
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/true", "true", (char *)NULL);
    _exit(errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  report("start a program", WEXITSTATUS(status) != 0);
}

static void *attempts(void *unused) {
  const char *outside = getenv("ESCAPE_FOLDER");
  const char *inside = getenv("ESCAPE_SITE");
  if (outside == NULL || inside == NULL) return unused;
  attempt(outside, inside);
  // The folder of the site stays usable.
  report("write into the site", open(in(inside, "allowed"), O_WRONLY | O_CREAT, 0644) < 0);
  unlink(in(inside, "allowed"));
  return unused;
}

__attribute__((constructor)) static void start(void) {
  if (getenv("ESCAPE_AT_START") != NULL) attempts(NULL);
}

// libarchive's first call for an archive; the attempts run on its thread and on a new one.
struct archive;

int archive_read_open_fd(struct archive *archive, int descriptor, size_t size) {
  (void)archive;
  (void)descriptor;
  (void)size;
  attempts(NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, attempts, NULL) == 0) pthread_join(thread, NULL);
  _exit(9);
}
