import ThreadModel

/// A column of the exports with one row per record: its name, and its value in a record.
///
/// ``DatabaseWriter`` and ``PostLinesWriter`` write the same columns. ``DatabaseSchema`` declares their types.
struct Column<Record>: Sendable {
  let name: String
  let value: @Sendable (Record) -> DatabaseValue

  init(_ name: String, _ value: @escaping @Sendable (Record) -> DatabaseValue) {
    self.name = name
    self.value = value
  }
}

/// A record that exports write as one row.
protocol ExportedRecord {
  static var columns: [Column<Self>] { get }
}

extension ExportedRecord {
  static var columnNames: [String] { columns.map(\.name) }
  var columnValues: [DatabaseValue] { Self.columns.map { $0.value(self) } }
}

extension Post: ExportedRecord {
  static let columns: [Column<Post>] = [
    Column("platform") { .text($0.id.platform.rawValue) },
    Column("network_id") { .text($0.id.text) },
    Column("title") { DatabaseValue($0.title) },
    Column("text") { .text($0.text.text) },
    Column("content_warning") { DatabaseValue($0.contentWarning) },
    Column("is_sensitive") { .flag($0.isSensitive) },
    Column("language") { DatabaseValue($0.language) },
    Column("posted") { DatabaseValue($0.createdAt?.iso8601) },
    Column("edited") { DatabaseValue($0.editedAt?.iso8601) },
    Column("url") { DatabaseValue($0.url) },
    Column("in_reply_to") { DatabaseValue($0.inReplyTo?.text) },
    Column("likes") { DatabaseValue($0.metrics.likes) },
    Column("reposts") { DatabaseValue($0.metrics.reposts) },
    Column("replies") { DatabaseValue($0.metrics.replies) },
    Column("quotes") { DatabaseValue($0.metrics.quotes) },
    Column("observed") { DatabaseValue($0.observedAt?.iso8601) },
  ]
}

/// An author's id is always known, but not the profile.
extension Author?: ExportedRecord {
  static let columns: [Column<Author?>] = [
    Column("handle") { DatabaseValue($0?.handle) },
    Column("name") { DatabaseValue($0?.name) },
    Column("url") { DatabaseValue($0?.url) },
  ]
}

extension Media: ExportedRecord {
  static let columns: [Column<Media>] = [
    Column("kind") { .text($0.kind.rawValue) },
    Column("alt_text") { DatabaseValue($0.altText) },
    Column("url") { DatabaseValue($0.url) },
    Column("file") { DatabaseValue($0.file) },
    Column("poster_file") { DatabaseValue($0.posterFile) },
    Column("width") { DatabaseValue($0.width) },
    Column("height") { DatabaseValue($0.height) },
    Column("duration_ms") { DatabaseValue($0.durationMilliseconds) },
  ]
}

extension Poll: ExportedRecord {
  static let columns: [Column<Poll>] = [
    Column("status") { .text($0.status.rawValue) },
    Column("ends") { DatabaseValue($0.endsAt?.iso8601) },
    Column("voters") { DatabaseValue($0.voters) },
    Column("allows_multiple") { .flag($0.allowsMultiple) },
  ]
}

extension PollOption: ExportedRecord {
  static let columns: [Column<PollOption>] = [
    Column("label") { .text($0.label) },
    Column("votes") { DatabaseValue($0.votes) },
  ]
}

extension LinkCard: ExportedRecord {
  static let columns: [Column<LinkCard>] = [
    Column("url") { .text($0.url) },
    Column("title") { DatabaseValue($0.title) },
    Column("summary") { DatabaseValue($0.summary) },
  ]
}

extension Post {
  /// The links of the text without duplicates, with the known data about the linked pages.
  var shownLinks: [LinkCard] {
    var links: [LinkCard] = []
    for entity in text.entities {
      guard case .link(let url, _) = entity.kind, !links.contains(where: { $0.url == url }) else { continue }
      links.append(LinkCard(url: url))
    }
    guard let card else { return links }
    if let position = links.firstIndex(where: { $0.url == card.url }) {
      links[position] = card
    } else {
      links.append(card)
    }
    return links
  }
}
