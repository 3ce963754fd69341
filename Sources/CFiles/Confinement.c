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
#include <linux/seccomp.h>
#include <sys/prctl.h>
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

int cfiles_confinement_begin(void) {
  long supported = version();
  if (supported < 1) return -1;
  struct ruleset set = {known_rights(supported), 0, 0};
  size_t size = sizeof set.files;
  if (supported >= 4) {
    set.network = 3;  // binding and connecting TCP sockets
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
// Fails calls that open sockets, that start programs if they are forbidden, or that could be used in their place. Calls of another
// architecture fail, too.
static int forbid_calls(int runs_programs) {
#define FORBID(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_FOREIGN_CALL, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      FORBID(SYS_execve),
      FORBID(SYS_execveat),
      FORBID(SYS_socket),
      FORBID(SYS_ptrace),
      FORBID(SYS_process_vm_readv),
      FORBID(SYS_process_vm_writev),
      FORBID(425 /* io_uring_setup, whose queues also open sockets */),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  if (runs_programs) {
    // The two rules about starting programs forbid a call twice that is forbidden anyway.
    for (size_t index = 0; index < sizeof filter / sizeof filter[0]; index++) {
      if (filter[index].k == SYS_execve || filter[index].k == SYS_execveat) filter[index].k = SYS_socket;
    }
  }
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#else
static int forbid_calls(int runs_programs) {
  (void)runs_programs;
  return 0;
}
#endif

int cfiles_confinement_apply(int confinement, int runs_programs) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (syscall(LANDLOCK_RESTRICT_SELF, confinement, 0) != 0) return -1;
  // A kernel without seccomp reports EINVAL. The limit of files applies nevertheless.
  return forbid_calls(runs_programs) != 0 && errno != EINVAL ? -1 : 0;
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
int cfiles_confinement_begin(void) {
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

int cfiles_confinement_apply(int confinement, int runs_programs) {
  (void)confinement;
  (void)runs_programs;
  errno = ENOSYS;
  return -1;
}

int cfiles_thread_count(void) { return -1; }
#endif
