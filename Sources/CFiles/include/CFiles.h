// What Swift's C library modules leave out.
#ifndef THREADSITE_CFILES_H
#define THREADSITE_CFILES_H

/// Exchanges two paths in one step, so that there is no moment without either.
/// Returns 0, or -1 with errno set, as where the system or the file system cannot do it.
int cfiles_exchange(const char *first, const char *second);

#endif
