import CSQLite
import Export
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel

/// Threads as an SQLite database.
@Suite struct DatabaseTests {
  /// The rows of a query. Columns are joined with `
  /// `, and NULL is empty.
  private func rows(_ sql: String, _ exported: ExportedSite, _ name: String = "t.sqlite") throws -> [String] {
    var connection: OpaquePointer?
    let path = exported.site.path + "/" + name
    try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    defer { sqlite3_close(connection) }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }.joined(separator: "|"))
    }
    return rows
  }

  @Test func containsThePublishedPosts() throws {
    let exported = try ExportedSite(configuration: "base_url: https://ada.example/")
    let summary = try exported.export(.sqlite, to: "t.sqlite")
    #expect(summary.threads == 3 && summary.posts == 4 && summary.media == 3)
    #expect(try rows("PRAGMA integrity_check", exported) == ["ok"])
    #expect(try rows("PRAGMA foreign_key_check", exported).isEmpty)
    #expect(
      try rows("SELECT title, page, posts FROM threads ORDER BY id", exported) == [
        "Ada begins: 1 < 2 & \"so\" on|https://ada.example/x/ada/ada-begins-1-2-so-on-1001/|2",
        "Bo begins here|https://ada.example/x/bo/bo-begins-here-2001/|1",
        "Ada again|https://ada.example/x/ada/ada-again-3001/|1",
      ])
    #expect(
      try rows(
        """
        SELECT t.network_id, tp.position, tp.part, p.network_id, a.handle, p.text, p.posted FROM thread_posts tp
        JOIN threads t ON t.id = tp.thread_id JOIN posts p ON p.id = tp.post_id JOIN authors a ON a.id = p.author_id
        ORDER BY t.id, tp.position
        """, exported) == [
          "1001|1|main|1001|ada|Ada begins: 1 < 2 & \"so\" on|2021-01-01T00:16:41Z",
          "1001|2|main|1002|ada|Quoting Bo|2021-01-01T00:16:42Z",
          "2001|1|main|2001|bo|Bo begins here|2022-01-01T00:33:21Z",
          "3001|1|main|3001|ada|Ada again|2023-01-01T00:50:01Z",
        ])
    #expect(
      try rows(
        "SELECT p.network_id, q.network_id FROM quotes q JOIN posts p ON p.id = q.post_id JOIN posts z ON z.id = q.quoted_post_id",
        exported) == ["1002|2001"])
    #expect(
      try rows("SELECT position, kind, alt_text, file, poster_file FROM media ORDER BY id", exported) == [
        "1|photo|A \"quoted\" <cat>|one.png|", "2|photo||wrong.png|", "3|video|A film|film.mp4|two.jpg",
      ])
    #expect(
      try rows("SELECT position, label, votes FROM poll_options", exported) == ["1|Yes & no|3", "2|No|1"])
    #expect(try rows("PRAGMA user_version", exported) == ["1"])
  }

  @Test func fullTextSearchFindsPosts() throws {
    let exported = try ExportedSite()
    try exported.export(.sqlite, to: "t.sqlite")
    let find = "SELECT p.text FROM posts_fts JOIN posts p ON p.id = posts_fts.rowid WHERE posts_fts MATCH "
    #expect(try rows(find + "'bo' ORDER BY p.id", exported) == ["Quoting Bo", "Bo begins here"])
    #expect(try rows(find + "'hidden'", exported).isEmpty)
  }

  @Test func sameThreadsGiveTheSameBytes() throws {
    let exported = try ExportedSite()
    try exported.export(.sqlite, to: "one.sqlite", jobs: 1)
    try exported.export(.sqlite, to: "two.sqlite", jobs: 4)
    #expect(try exported.site.folder.data("one.sqlite") == exported.site.folder.data("two.sqlite"))
    #expect(try exported.site.folder.tree().keys.filter { $0.hasPrefix(".") }.isEmpty)
  }

  @Test func storesHostileTextUnchanged() throws {
    let site = try TemporarySite()
    var expected: [String] = []
    for (number, text) in try HostileContentTests.payloads.enumerated() where number % 3 == 0 {
      let conversation = HostileConversation.make(number: number, payload: text)
      try site.save(conversation)
      expected.append(conversation.posts[0].text.text)
    }
    let exported = try ExportedSite(site: site)
    try exported.export(.sqlite, to: "t.sqlite")
    #expect(try rows("PRAGMA integrity_check", exported) == ["ok"])
    #expect(try rows("PRAGMA foreign_key_check", exported).isEmpty)
    let found = Set(
      try rows(
        "SELECT hex(text) FROM posts p JOIN thread_posts tp ON tp.post_id = p.id WHERE position = 1", exported
      ))
    for text in expected {
      #expect(found.contains(text.utf8.map { String(format: "%02X", $0) }.joined()), "\(text)")
    }
  }
}
