// Limits of what a process may do, by Landlock and seccomp.
// Sources: https://docs.kernel.org/userspace-api/landlock.html and linux/landlock.h. The numbers are repeated here, because older headers
// lack them.
#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <dirent.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers of the calls are the same on all architectures.
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446

#define RIGHT(bit) (UINT64_C(1) << (bit))
enum { EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO,
       MAKE_BLOCK, MAKE_SYM, REFER, TRUNCATE, IOCTL_DEV, RIGHTS };

static const uint64_t READING = RIGHT(READ_FILE) | RIGHT(READ_DIR);
static const uint64_t WRITING = RIGHT(WRITE_FILE) | RIGHT(REMOVE_DIR) | RIGHT(REMOVE_FILE) | RIGHT(MAKE_DIR) | RIGHT(MAKE_REG) |
                                RIGHT(MAKE_SYM) | RIGHT(REFER) | RIGHT(TRUNCATE);
// The rights that a rule for a file, and not a folder, may contain.
static const uint64_t OF_FILES = RIGHT(EXECUTE) | RIGHT(WRITE_FILE) | RIGHT(READ_FILE) | RIGHT(TRUNCATE) | RIGHT(IOCTL_DEV);

// struct landlock_ruleset_attr
struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scoped;
};

// struct landlock_path_beneath_attr
struct path_rule {
  uint64_t rights;
  int32_t path;
} __attribute__((packed));

static long version(void) {
  return syscall(LANDLOCK_CREATE_RULESET, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
}

// The rights of files that a version of Landlock knows.
static uint64_t known_rights(long version) {
  int count = version >= 5 ? RIGHTS : version >= 3 ? IOCTL_DEV : version == 2 ? TRUNCATE : REFER;
  return RIGHT(count) - 1;
}

int cfiles_confinement_begin(int permissions) {
  long supported = version();
  if (supported < 1) return -1;
  // Version 1 refuses every move of a file to another folder, which this program needs, but not the programs that it starts.
  if (supported < 2 && !(permissions & CFILES_PROGRAMS)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  struct ruleset set = {known_rights(supported), 0, 0};
  size_t size = sizeof set.files;
  if (supported >= 4) {
    // Binding and connecting TCP sockets. The ports of servers and proxies are not known in advance, so connections have no limit.
    set.network = permissions & CFILES_CONNECTIONS ? 1 : 3;
    size = offsetof(struct ruleset, scoped);
  }
  if (supported >= 6) {
    set.scoped = 3;  // abstract UNIX sockets and signals
    size = sizeof set;
  }
  return (int)syscall(LANDLOCK_CREATE_RULESET, &set, size, 0);
}

int cfiles_confinement_permit(int confinement, const char *path, enum cfiles_use use) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat information;
  int result = fstat(descriptor, &information);
  if (result == 0) {
    uint64_t more = use == CFILES_WRITE ? WRITING : use == CFILES_RUN ? RIGHT(EXECUTE) : 0;
    struct path_rule rule = {(READING | more) & known_rights(version()), descriptor};
    if (!S_ISDIR(information.st_mode)) rule.rights &= OF_FILES;
    result = (int)syscall(LANDLOCK_ADD_RULE, confinement, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0);
  }
  int code = errno;
  close(descriptor);
  errno = code;
  return result;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
// Numbers from this one on belong to a second set of calls (x32).
#define FIRST_FOREIGN_CALL 0x40000000
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define FIRST_FOREIGN_CALL 0xffffffff
#endif

#if defined(ARCHITECTURE)
// The steps of a filter. A jump counts the steps that it skips.
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define JUMP_IF(value, met, unmet) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (met), (unmet))
#define PERMIT BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
#define FORBID(number) JUMP_IF(number, 0, 1), REFUSE
#define COUNT(steps) (sizeof(steps) / sizeof(steps)[0])

// Fails calls of another architecture, and calls that could be used in place of forbidden ones. Each filter begins with these steps.
#define BEGINNING                                                                          \
  LOAD(arch), JUMP_IF(ARCHITECTURE, 1, 0), REFUSE, LOAD(nr),                               \
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_FOREIGN_CALL, 0, 1), REFUSE,               \
      FORBID(SYS_ptrace), FORBID(SYS_process_vm_readv), FORBID(SYS_process_vm_writev),     \
      FORBID(425 /* io_uring_setup, whose queues also open sockets */)

static int add_filter(const struct sock_filter *steps, size_t count) {
  struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)steps};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

// Fails calls that open sockets or that start programs, unless these are permitted. Of several filters, the strictest answer counts.
static int forbid_calls(int permissions) {
  static const struct sock_filter programs[] = {BEGINNING, FORBID(SYS_execve), FORBID(SYS_execveat), PERMIT};
  static const struct sock_filter sockets[] = {BEGINNING, FORBID(SYS_socket), PERMIT};
  // Sockets of TCP, of UDP for name servers, and for the list of the machine's addresses, which getaddrinfo reads. They cannot receive
  // connections. UNIX sockets are forbidden: services such as D-Bus and Docker start programs without a limit. The resolver of the system
  // does without the services that it reaches by such sockets.
  static const struct sock_filter clients[] = {
      BEGINNING,
      FORBID(SYS_listen),
      FORBID(SYS_accept),
      FORBID(SYS_accept4),
      JUMP_IF(SYS_socket, 1, 0),
      PERMIT,
      LOAD(args[0]),
      JUMP_IF(AF_NETLINK, 7, 0),
      JUMP_IF(AF_INET, 1, 0),
      JUMP_IF(AF_INET6, 0, 4),
      LOAD(args[1]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf /* without SOCK_CLOEXEC and SOCK_NONBLOCK */),
      JUMP_IF(SOCK_STREAM, 4, 0),
      JUMP_IF(SOCK_DGRAM, 3, 0),
      REFUSE,
      LOAD(args[2]),
      JUMP_IF(NETLINK_ROUTE, 0, 1),
      PERMIT,
      REFUSE,
  };
  if (!(permissions & CFILES_PROGRAMS) && add_filter(programs, COUNT(programs)) != 0) return -1;
  if (permissions & CFILES_CONNECTIONS) return add_filter(clients, COUNT(clients));
  return add_filter(sockets, COUNT(sockets));
}
#else
static int forbid_calls(int permissions) {
  (void)permissions;
  return 0;
}
#endif

int cfiles_confinement_apply(int confinement, int permissions) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (syscall(LANDLOCK_RESTRICT_SELF, confinement, 0) != 0) return -1;
  // A kernel without seccomp reports EINVAL. The limit of files applies nevertheless.
  return forbid_calls(permissions) != 0 && errno != EINVAL ? -1 : 0;
}

int cfiles_thread_count(void) {
  DIR *folder = opendir("/proc/self/task");
  if (folder == NULL) return -1;
  int count = 0;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}
#else
int cfiles_confinement_begin(int permissions) {
  (void)permissions;
  errno = ENOSYS;
  return -1;
}

int cfiles_confinement_permit(int confinement, const char *path, enum cfiles_use use) {
  (void)confinement;
  (void)path;
  (void)use;
  errno = ENOSYS;
  return -1;
}

int cfiles_confinement_apply(int confinement, int permissions) {
  (void)confinement;
  (void)permissions;
  errno = ENOSYS;
  return -1;
}

int cfiles_thread_count(void) { return -1; }
#endif
