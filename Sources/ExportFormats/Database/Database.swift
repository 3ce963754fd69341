import CSQLite

/// A connection to an SQLite database, which is closed when the value is destroyed.
struct Database: ~Copyable {
  private let connection: OpaquePointer
  private let path: String

  /// Opens an existing file.
  init(_ path: String) throws(ExportFormatError) {
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK, let connection else {
      let reason = String(cString: sqlite3_errstr(code))
      sqlite3_close(connection)
      throw .database("\(path): error: SQLite could not open the database: \(reason)")
    }
    self.connection = connection
    self.path = path
  }

  // The connection is closed after its last statement is finalized.
  deinit { sqlite3_close_v2(connection) }

  /// Runs SQL statements without parameters and results.
  func run(_ sql: String) throws(ExportFormatError) {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  func prepare(_ sql: String) throws(ExportFormatError) -> Statement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw .database("\(path): error: the SQL statement is empty") }
    return Statement(statement)
  }

  /// Runs a statement with parameters.
  func run(_ statement: Statement, _ values: [DatabaseValue]) throws(ExportFormatError) {
    try bind(values, to: statement)
    let code = sqlite3_step(statement.pointer)
    sqlite3_reset(statement.pointer)
    if code != SQLITE_ROW { try check(code, expecting: SQLITE_DONE) }
  }

  /// Returns the first number of the first row; `nil` if there are no rows.
  func number(_ statement: Statement, _ values: [DatabaseValue]) throws(ExportFormatError) -> Int64? {
    try bind(values, to: statement)
    defer { sqlite3_reset(statement.pointer) }
    let code = sqlite3_step(statement.pointer)
    if code == SQLITE_ROW { return sqlite3_column_int64(statement.pointer, 0) }
    try check(code, expecting: SQLITE_DONE)
    return nil
  }

  /// The id of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(connection) }

  /// Whether this version of SQLite supports full-text indexes.
  static var hasFullText: Bool { sqlite3_compileoption_used("ENABLE_FTS5") != 0 }

  private func bind(_ values: [DatabaseValue], to statement: Statement) throws(ExportFormatError) {
    for (position, value) in values.enumerated() {
      let index = Int32(position + 1)
      switch value {
      case .null: try check(sqlite3_bind_null(statement.pointer, index))
      case .number(let number): try check(sqlite3_bind_int64(statement.pointer, index, number))
      case .flag(let flag): try check(sqlite3_bind_int64(statement.pointer, index, flag ? 1 : 0))
      case .text(var text):
        let code = text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            // An empty text has no base address, and a null pointer would bind NULL.
            $0.baseAddress.map { csqlite_bind_text(statement.pointer, index, $0, Int32(bytes.count)) }
              ?? csqlite_bind_text(statement.pointer, index, "", 0)
          }
        }
        try check(code)
      }
    }
  }

  private func check(_ code: Int32, expecting expected: Int32 = SQLITE_OK) throws(ExportFormatError) {
    guard code == expected else {
      throw .database(
        "\(path): error: SQLite could not write the database: \(String(cString: sqlite3_errmsg(connection)))")
    }
  }
}

/// A prepared statement, which is finalized with the last reference to it.
final class Statement {
  fileprivate let pointer: OpaquePointer

  fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }
}

/// A value of a column.
enum DatabaseValue {
  case null
  case number(Int64)
  case text(String)
  /// 0 or 1 in the database.
  case flag(Bool)

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ number: Int?) { self = number.map { .number(Int64($0)) } ?? .null }
}
