// What Swift's C library modules leave out.
#ifndef THREADSITE_CFILES_H
#define THREADSITE_CFILES_H

/// Opens a path no part of which may be a symbolic link, whatever `flags` say; closed in programs that this one starts.
///
/// `mode` counts where `flags` have O_CREAT. Returns a descriptor, or -1 with errno set: ELOOP where a part is a link.
/// One call where the system has it (openat2 of Linux 5.6, O_NOFOLLOW_ANY of macOS 11), otherwise one for each part.
int cfiles_open(const char *path, int flags, int mode);

/// The same part by part, which every system can do.
int cfiles_open_stepwise(const char *path, int flags, int mode);

/// Opens a folder as a place to reach what is in it from, for which it need not be readable; as `cfiles_open`.
int cfiles_open_folder(const char *path);

/// A queue of what happens in folders (inotify), closed in programs that this one starts.
/// Returns a descriptor, or -1 with errno set: ENOSYS where the system has none, EMFILE where the user has too many.
int cfiles_events_open(void);

/// Puts what happens in a folder into the queue. Returns a number of the queue's, or -1 with errno set: ENOSPC where the user watches
/// too many folders.
int cfiles_events_add(int events, const char *folder);

/// Waits until something has happened, or so many milliseconds have passed, and empties the queue.
/// Returns 1 where something has happened, 0 where not, -1 with errno set.
int cfiles_events_wait(int events, int milliseconds);

/// The most bytes of address space that the process may have (RLIMIT_AS, `ulimit -v`); 0 where there is no limit or none can be told.
unsigned long long cfiles_address_space_limit(void);

#endif
