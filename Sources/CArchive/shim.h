// The only header through which Swift uses libarchive (https://www.libarchive.org/, 3.6 and later).
#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>

// The kinds of entries are cast constants, which Swift does not import.
static inline bool carchive_is_file(struct archive_entry *entry) {
  return archive_entry_filetype(entry) == AE_IFREG;
}
static inline bool carchive_is_folder(struct archive_entry *entry) {
  return archive_entry_filetype(entry) == AE_IFDIR;
}
static inline void carchive_set_file(struct archive_entry *entry) { archive_entry_set_filetype(entry, AE_IFREG); }
static inline void carchive_set_link(struct archive_entry *entry, const char *target) {
  archive_entry_set_filetype(entry, AE_IFLNK);
  archive_entry_set_symlink(entry, target);
}
