// The one header through which Swift sees libarchive (https://www.libarchive.org/, 3.6 and later).
#include <archive.h>
#include <archive_entry.h>
