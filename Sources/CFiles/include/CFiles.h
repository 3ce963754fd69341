// Functions that Swift's C library modules lack.
#ifndef THREADSITE_CFILES_H
#define THREADSITE_CFILES_H

/// Opens a path of which no part may be a symbolic link, whatever `flags` contain. The descriptor is closed in child programs.
///
/// `mode` is used if `flags` contain O_CREAT. Returns a descriptor, or -1 with errno set: ELOOP if a part is a link.
/// Uses a single call if the system has it (openat2 of Linux 5.6, O_NOFOLLOW_ANY of macOS 11), otherwise one call per part.
int cfiles_open(const char *path, int flags, int mode);

/// Does the same part by part, which every system supports.
int cfiles_open_stepwise(const char *path, int flags, int mode);

/// Opens a folder as a base for paths, for which it need not be readable. Otherwise like `cfiles_open`.
int cfiles_open_folder(const char *path);

/// Opens a queue of changes in folders (inotify), which is closed in child programs.
/// Returns a descriptor, or -1 with errno set: ENOSYS if the system has no such queues, EMFILE if the user has too many.
int cfiles_events_open(void);

/// Adds a folder's changes to the queue. Returns the queue's number for the folder, or -1 with errno set: ENOSPC if the user watches
/// too many folders.
int cfiles_events_add(int events, const char *folder);

/// Waits until there is a change, but at most this number of milliseconds, and empties the queue. Writes the numbers of the changed folders.
/// Returns how many numbers were written, `capacity + 1` if there were more or if the system lost changes, 0 if there was no change, or -1
/// with errno set.
int cfiles_events_wait(int events, int milliseconds, int *folders, int capacity);

/// Returns the maximum number of bytes of address space of the process (RLIMIT_AS, `ulimit -v`); 0 if it is unlimited or unknown.
unsigned long long cfiles_address_space_limit(void);

/// From now on, freed blocks of 256 KB or more are returned to the system at once. Otherwise glibc raises this limit to the size of the largest
/// freed block, up to 32 MB (mallopt(3), M_MMAP_THRESHOLD). Has no effect with other C libraries.
void cfiles_return_large_blocks(void);

/// Returns all freed memory to the system (malloc_trim(3)). Has no effect with other C libraries than glibc.
void cfiles_return_freed_memory(void);

/// Permissions of a limited process that are not about single files: starting programs, and opening connections to servers.
enum cfiles_permissions { CFILES_PROGRAMS = 1, CFILES_CONNECTIONS = 2 };

/// Begins a limit of the files that a process may use: Landlock of Linux 5.19, or of Linux 5.13 with `CFILES_PROGRAMS`. No file is
/// permitted yet. `permissions` is 0 or a sum of `cfiles_permissions`.
/// Returns a descriptor, or -1 with errno set: ENOSYS or EOPNOTSUPP if the system lacks Landlock or has it turned off, EPERM if a container
/// forbids it.
int cfiles_confinement_begin(int permissions);

/// The permitted uses of a file, besides reading.
enum cfiles_use { CFILES_READ, CFILES_WRITE, CFILES_RUN };

/// Permits a file, or a folder with everything below it: reading, with `CFILES_WRITE` also writing, creating, renaming and deleting regular
/// files, folders and links, and with `CFILES_RUN` also starting programs. If the path is a symbolic link, its target is permitted.
/// Returns 0, or -1 with errno set.
int cfiles_confinement_permit(int confinement, const char *path, enum cfiles_use use);

/// Applies the limit to the calling thread, and to all threads and programs that it starts. It cannot be removed. In addition, it forbids
/// starting programs and opening sockets, as far as `permissions` do not contain them (seccomp on x86-64 and ARM64; Landlock's own rules
/// elsewhere). The sockets of `CFILES_CONNECTIONS` are those of TCP and UDP, which cannot receive connections.
/// Returns 0, or -1 with errno set.
int cfiles_confinement_apply(int confinement, int permissions);

/// Creates a pipe whose ends are closed in child programs: first the end for reading. Returns 0, or -1 with errno set.
int cfiles_pipe(int ends[2]);

/// Starts a program under a limit, in the folder `/` and in a process group of its own. It inherits only the three streams, ends with the
/// thread that started it, and can use at most 4 GB of address space.
///
/// `confinement` is -1 for no limit. The exit code is 126 if the limit cannot be applied, and 127 if the program cannot be started.
/// Returns the number of the process, or -1 with errno set.
int cfiles_spawn_confined(const char *path, char *const arguments[], char *const environment[], const int streams[3],
                          int confinement);

/// Returns the number of threads of the process, or -1 if the system does not report it.
int cfiles_thread_count(void);

#endif
