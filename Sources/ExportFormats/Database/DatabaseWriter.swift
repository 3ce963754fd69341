import Basics
package import SiteOutput
package import ThreadModel

/// Writes threads to an SQLite database, for queries.
///
/// Threads are not kept in memory. The database itself is searched to find out whether a row already exists, such as a post that two
/// threads quote. Everything is written in one transaction without a journal, because the database is a temporary file until it is
/// complete.
package struct DatabaseWriter: RecordsWriter, ~Copyable {
  private var file: OutgoingFile
  private let database: Database
  private let statements: Statements
  private var media = 0

  package init(site: [(key: String, value: String)], to path: String) throws(ExportFormatError) {
    let file = try withFiles { () throws(FileError) in try OutgoingFile(path) }
    let database = try Database(file.temporaryPath)
    try database.run(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA page_size = 4096;
      PRAGMA user_version = \(DatabaseSchema.version);
      BEGIN;
      """)
    try database.run(DatabaseSchema.tables)
    let statements = try Statements(database)
    let insertSite = try database.prepare("INSERT INTO site VALUES (?, ?)")
    for (key, value) in site { try database.run(insertSite, [.text(key), .text(value)]) }
    self.file = file
    self.database = database
    self.statements = statements
  }

  /// Adds a thread with everything that its page shows.
  package mutating func add(
    _ thread: UnrolledThread, _ summary: ThreadSummary, page: String, url: String?
  ) throws(ExportFormatError) {
    try database.run(
      statements.insertThread,
      [
        .text(thread.id.platform.rawValue), .text(thread.id.text),
        .number(try row(of: thread.author.id, thread.author)),
        .text(summary.title), .text(summary.excerpt), .text(page), DatabaseValue(url),
        DatabaseValue(summary.published?.iso8601), DatabaseValue(summary.updated?.iso8601),
        DatabaseValue(summary.language), .number(Int64(summary.postCount)), .flag(summary.isWhole),
      ])
    let row = database.lastRow
    for (position, tag) in summary.tags.enumerated() {
      try database.run(
        statements.insertTag, [.number(row), .number(Int64(position + 1)), .text(tag.name)])
    }
    for (position, placed) in PlacedPost.all(of: thread).enumerated() {
      let post = try self.row(of: placed.post, placed.author)
      try add(placed.quote, of: post)
      try database.run(
        statements.insertPlace,
        [
          .number(row), .number(Int64(position + 1)), .number(post), .text(placed.part.rawValue),
          DatabaseValue(placed.branch),
        ])
    }
  }

  /// Ends the transaction, creates the full-text index, and moves the file into place.
  package mutating func finish() throws(ExportFormatError) -> Int {
    if Database.hasFullText { try database.run(DatabaseSchema.fullText) }
    try database.run("COMMIT")
    do {
      try file.finish()
    } catch {
      throw .file(error)
    }
    return media
  }

  private mutating func add(_ quote: Quote?, of post: Int64) throws(ExportFormatError) {
    switch quote {
    case nil: return
    case .post(let quoted, let author, let inner)?:
      let row = try row(of: quoted, author)
      try database.run(
        statements.insertQuote,
        [
          .number(post), .number(row), .text(quoted.id.platform.rawValue), .text(quoted.id.text), .null,
        ])
      try add(inner, of: row)
    case .tombstone(let tombstone, _)?:
      try database.run(
        statements.insertQuote,
        [
          .number(post), .null, .text(tombstone.id.platform.rawValue), .text(tombstone.id.text),
          .text(tombstone.reason.rawValue),
        ])
    }
  }

  private func row(of id: AuthorID, _ author: Author?) throws(ExportFormatError) -> Int64 {
    let key: [DatabaseValue] = [.text(id.platform.rawValue), .text(id.text)]
    if let known = try database.number(statements.findAuthor, key) { return known }
    try database.run(statements.insertAuthor, key + author.columnValues)
    return database.lastRow
  }

  /// Returns a post's row. If the post is new, inserts it with its media, poll and links.
  private mutating func row(of post: Post, _ author: Author?) throws(ExportFormatError) -> Int64 {
    let key: [DatabaseValue] = [.text(post.id.platform.rawValue), .text(post.id.text)]
    if let known = try database.number(statements.findPost, key) { return known }
    let known = author?.id == post.authorID ? author : nil
    try database.run(
      statements.insertPost, [.number(try row(of: post.authorID, known))] + post.columnValues)
    let row = database.lastRow
    for (position, medium) in post.media.enumerated() {
      media += 1
      try database.run(
        statements.insertMedia, [.number(row), .number(Int64(position + 1))] + medium.columnValues)
    }
    if let poll = post.poll {
      try database.run(statements.insertPoll, [.number(row)] + poll.columnValues)
      for (position, option) in poll.options.enumerated() {
        try database.run(
          statements.insertOption, [.number(row), .number(Int64(position + 1))] + option.columnValues)
      }
    }
    for (position, link) in post.shownLinks.enumerated() {
      try database.run(
        statements.insertLink, [.number(row), .number(Int64(position + 1))] + link.columnValues)
    }
    return row
  }
}

/// Prepared statements that are run many times.
private struct Statements {
  let insertAuthor, findAuthor, insertPost, findPost: Statement
  let insertThread, insertTag, insertPlace: Statement
  let insertQuote, insertMedia, insertPoll, insertOption, insertLink: Statement

  init(_ database: borrowing Database) throws(ExportFormatError) {
    func insert(_ names: [String], into table: String, ignoresKnown: Bool = false) throws(ExportFormatError)
      -> Statement
    {
      let places = names.map { _ in "?" }.joined(separator: ", ")
      return try database.prepare(
        "INSERT \(ignoresKnown ? "OR IGNORE " : "")INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))"
      )
    }
    insertAuthor = try insert(["platform", "network_id"] + Author?.columnNames, into: "authors")
    findAuthor = try database.prepare("SELECT id FROM authors WHERE platform = ? AND network_id = ?")
    insertPost = try insert(["author_id"] + Post.columnNames, into: "posts")
    findPost = try database.prepare("SELECT id FROM posts WHERE platform = ? AND network_id = ?")
    insertThread = try insert(
      [
        "platform", "network_id", "author_id", "title", "excerpt", "page", "url", "first_posted",
        "last_posted",
        "language", "posts", "is_whole",
      ], into: "threads")
    insertTag = try insert(["thread_id", "position", "tag"], into: "tags")
    insertPlace = try insert(["thread_id", "position", "post_id", "part", "branch"], into: "thread_posts")
    insertQuote = try insert(
      ["post_id", "quoted_post_id", "platform", "network_id", "missing"], into: "quotes", ignoresKnown: true)
    insertMedia = try insert(["post_id", "position"] + Media.columnNames, into: "media")
    insertPoll = try insert(["post_id"] + Poll.columnNames, into: "polls")
    insertOption = try insert(["post_id", "position"] + PollOption.columnNames, into: "poll_options")
    insertLink = try insert(["post_id", "position"] + LinkCard.columnNames, into: "links")
  }
}
