// Stands for an attacker who runs code in libarchive or libcurl: a library that is loaded before them (LD_PRELOAD) and replaces one
// function of each. Each attempt prints its name and "done" or the name of its error to standard error.
//
// ESCAPE_FOLDER has a file `secret`, ESCAPE_PORT is a port of this machine on which a server listens, ESCAPE_SITE is the site's folder, and
// in ESCAPE_STORE the program may write. With ESCAPE_AT_START, the attempts run when the library is loaded.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
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

static struct sockaddr_in own_address(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static void attempt_connections(int port) {
  struct sockaddr_in server = own_address(port), any = own_address(0);
  report("open a socket", socket(AF_INET, SOCK_STREAM, 0) < 0);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  report("connect to a server", client < 0 || connect(client, (struct sockaddr *)&server, sizeof server) != 0);
  int named = socket(AF_INET, SOCK_STREAM, 0);
  report("take a port", named < 0 || bind(named, (struct sockaddr *)&any, sizeof any) != 0 || listen(named, 1) != 0);
  // The system chooses the port.
  int unnamed = socket(AF_INET, SOCK_STREAM, 0);
  report("receive connections", unnamed < 0 || listen(unnamed, 1) != 0);
  report("open a UNIX socket", socket(AF_UNIX, SOCK_STREAM, 0) < 0);
  report("open a socket of the kernel", socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT) < 0);
}

static void attempt(const char *outside, const char *site, const char *store, int port) {
  report("read a file", open(in(outside, "secret"), O_RDONLY) < 0);
  report("read a file of the system", open("/etc/passwd", O_RDONLY) < 0);
  report("list a folder", opendir(outside) == NULL);
  report("write a file", open(in(outside, "planted"), O_WRONLY | O_CREAT, 0644) < 0);
  report("change a file", open(in(outside, "secret"), O_WRONLY) < 0);
  report("delete a file", unlink(in(outside, "victim")) != 0);
  symlink(in(outside, "secret"), in(store, "link"));
  report("read through a link", open(in(store, "link"), O_RDONLY) < 0);
  unlink(in(store, "link"));
  report("change site.yml", open(in(site, "site.yml"), O_WRONLY) < 0);
  report("read another process", open("/proc/1/environ", O_RDONLY) < 0);
  attempt_connections(port);
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
  report("write into the store", open(in(store, "allowed"), O_WRONLY | O_CREAT, 0644) < 0);
  unlink(in(store, "allowed"));
}

static void *attempts(void *unused) {
  const char *outside = getenv("ESCAPE_FOLDER"), *site = getenv("ESCAPE_SITE");
  const char *store = getenv("ESCAPE_STORE"), *port = getenv("ESCAPE_PORT");
  if (outside != NULL && site != NULL && store != NULL && port != NULL) attempt(outside, site, store, atoi(port));
  return unused;
}

__attribute__((constructor)) static void start(void) {
  if (getenv("ESCAPE_AT_START") != NULL) attempts(NULL);
}

// The attempts run on the thread of the library and on a new one.
static void attack(void) {
  static int has_begun;
  // libcurl has several threads, of which one attacks.
  while (__sync_lock_test_and_set(&has_begun, 1)) pause();
  attempts(NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, attempts, NULL) == 0) pthread_join(thread, NULL);
  _exit(9);
}

// libarchive's first call for an archive
struct archive;

int archive_read_open_fd(struct archive *archive, int descriptor, size_t size) {
  (void)archive;
  (void)descriptor;
  (void)size;
  attack();
  return -1;
}

// libcurl's first call on its thread
void *curl_multi_init(void) {
  attack();
  return NULL;
}
