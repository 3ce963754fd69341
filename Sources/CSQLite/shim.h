// The one header through which Swift sees SQLite (https://sqlite.org/, 3.35 and later).
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast constant, which Swift does not import: SQLite makes a copy of the text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
