#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <sys/resource.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__linux__)
#include <poll.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#endif

// Flags that are enough to reach the files in a folder, even if listing the folder is not permitted.
#if defined(O_PATH)
#define CFILES_FOLDER (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#elif defined(O_SEARCH)
#define CFILES_FOLDER (O_SEARCH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#else
#define CFILES_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#endif

static int open_at(int folder, const char *name, int flags, int mode) {
  int descriptor;
  do {
    descriptor = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0 && errno != ELOOP) {
    // For a link in place of a folder, some systems report "not a directory", and others EMLINK or EFTYPE.
    int code = errno;
    struct stat information;
    if (code != ENOENT && fstatat(folder, name, &information, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(information.st_mode) && !((flags & O_CREAT) && (flags & O_EXCL)))
      code = ELOOP;
    errno = code;
  }
  return descriptor;
}

int cfiles_open_stepwise(const char *path, int flags, int mode) {
  int folder = AT_FDCWD;
  const char *rest = path;
  if (*rest == '\0') {
    errno = ENOENT;
    return -1;
  }
  if (*rest == '/') {
    while (*rest == '/') rest++;
    if (*rest == '\0') return open_at(AT_FDCWD, "/", flags, mode);
    folder = open_at(AT_FDCWD, "/", CFILES_FOLDER, 0);
    if (folder < 0) return -1;
  }
  for (;;) {
    char name[256];
    size_t length = strcspn(rest, "/");
    int next = -1;
    const char *following = rest + length;
    while (*following == '/') following++;
    int is_last = *following == '\0';
    if (length >= sizeof name) {
      errno = ENAMETOOLONG;
    } else {
      memcpy(name, rest, length);
      name[length] = '\0';
      int is_folder = rest[length] == '/';
      if (is_last && is_folder && (flags & O_CREAT))
        errno = EISDIR;
      else
        next = is_last ? open_at(folder, name, flags | (is_folder ? O_DIRECTORY : 0), mode)
                       : open_at(folder, name, CFILES_FOLDER, 0);
    }
    if (folder != AT_FDCWD) {
      int code = errno;
      close(folder);
      errno = code;
    }
    if (next < 0 || is_last) return next;
    folder = next;
    rest = following;
  }
}

int cfiles_open(const char *path, int flags, int mode) {
#if defined(__APPLE__) && defined(O_NOFOLLOW_ANY)
  int descriptor;
  do {
    descriptor = open(path, flags | O_NOFOLLOW_ANY | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
#elif defined(__linux__) && defined(SYS_openat2)
  // struct open_how of linux/openat2.h, which older headers lack.
  struct {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
  } how = {(uint64_t)(uint32_t)(flags | O_NOFOLLOW | O_CLOEXEC),
           (uint64_t)(uint32_t)((flags & O_CREAT) ? mode : 0), 0x04 /* RESOLVE_NO_SYMLINKS */};
  long descriptor;
  do {
    descriptor = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  } while (descriptor < 0 && errno == EINTR);
  // Old kernels do not have the call, and some sandboxes forbid unknown calls. Also, the cause of "not a directory" may be a
  // link, which only a check of each part can detect.
  if (descriptor < 0 && (errno == ENOSYS || errno == EPERM || errno == ENOTDIR))
    return cfiles_open_stepwise(path, flags, mode);
  return (int)descriptor;
#else
  return cfiles_open_stepwise(path, flags, mode);
#endif
}

int cfiles_open_folder(const char *path) {
  return cfiles_open(path, CFILES_FOLDER, 0);
}

#if defined(__linux__)
int cfiles_events_open(void) {
  return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

int cfiles_events_add(int events, const char *folder) {
  return inotify_add_watch(events, folder,
                           IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO |
                               IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW);
}

int cfiles_events_wait(int events, int milliseconds, int *folders, int capacity) {
  struct pollfd waiting = {events, POLLIN, 0};
  int count = poll(&waiting, 1, milliseconds);
  if (count <= 0) return count < 0 && errno == EINTR ? 0 : count;
  char buffer[16384] __attribute__((aligned(8)));
  ssize_t length;
  int found = 0;
  while ((length = read(events, buffer, sizeof buffer)) > 0) {
    const char *end = buffer + length;
    for (const char *place = buffer; place < end;) {
      const struct inotify_event *event = (const struct inotify_event *)place;
      // An overflow of the queue has the number -1.
      if (found < capacity && event->wd >= 0) {
        if (found == 0 || folders[found - 1] != event->wd) folders[found++] = event->wd;
      } else {
        found = capacity + 1;
      }
      place += sizeof *event + event->len;
    }
  }
  return found > 0 ? found : capacity + 1;
}
#else
int cfiles_events_open(void) {
  errno = ENOSYS;
  return -1;
}

int cfiles_events_add(int events, const char *folder) {
  (void)events;
  (void)folder;
  errno = ENOSYS;
  return -1;
}

int cfiles_events_wait(int events, int milliseconds, int *folders, int capacity) {
  (void)events;
  (void)milliseconds;
  (void)folders;
  (void)capacity;
  errno = ENOSYS;
  return -1;
}
#endif

void cfiles_return_large_blocks(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_TRIM_THRESHOLD, 256 * 1024);
#endif
}

void cfiles_return_freed_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

unsigned long long cfiles_address_space_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}
