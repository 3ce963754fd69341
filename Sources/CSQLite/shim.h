// The only header through which Swift uses SQLite (https://sqlite.org/, 3.35 and later).
#include <sqlite3.h>

// SQLITE_TRANSIENT, which makes SQLite copy the text, is a cast constant, which Swift does not import.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
