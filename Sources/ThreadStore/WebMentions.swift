import Basics
package import ThreadModel

/// The webmentions that the site's inbox has: a file of the store, so that the site can be built without the inbox, and its owner can review
/// the words of strangers before they are published.
package struct WebMentions: Sendable, Equatable {
  /// The file's name in the store's folder.
  package static let fileName = "webmentions.json"
  /// The maximum number of webmentions. A site with more needs another way to show them.
  package static let most = 20_000
  /// In bytes; enough for ``most`` webmentions of the greatest length, 18 KB: three URLs and the text with every character escaped.
  fileprivate static let largestFile = 512 << 20
  /// The only format so far.
  private static let format: Int64 = 1

  /// At most one per source and target, sorted by both.
  package let all: [WebMention]

  /// - Parameter mentions: of several with the same source and target, the first one counts.
  package init(_ mentions: some Sequence<WebMention>) {
    var seen: Set<WebMention.Link> = []
    all = mentions.filter { seen.insert($0.link).inserted }.sorted { $0.link < $1.link }
  }

  package var isEmpty: Bool { all.isEmpty }

  package var bytes: [UInt8] {
    JSONWriter.text(of: ["format": .integer(Self.format), "webmentions": .array(all.map(\.json))]).bytes
  }

  /// Reads the file.
  init(bytes: [UInt8], file: String) throws(ThreadStoreError) {
    let value = try StoreFiles.object(in: bytes, file: file)
    let found = value["format"]?.int ?? 0
    guard found == Self.format else {
      throw found > Self.format
        ? .newerFormat(file: file, found: found) : .badWebMentions(file: file, problem: "it names no format")
    }
    guard let list = value["webmentions"]?.array, list.count <= Self.most else {
      throw .badWebMentions(file: file, problem: "\"webmentions\" should be a list of up to \(Self.most)")
    }
    var mentions: [WebMention] = []
    for (number, value) in list.enumerated() {
      guard let mention = WebMention(value) else {
        throw .badWebMentions(
          file: file, problem: "webmentions[\(number)] needs a kind, a source and a target, both URLs")
      }
      mentions.append(mention)
    }
    self.init(mentions)
  }
}

extension ThreadStore {
  private var webMentionsPath: String { "\(folder)/\(WebMentions.fileName)" }

  /// Returns the stored webmentions without those that name a left-out account; none if the file is missing.
  package func webMentions() throws(ThreadStoreError) -> WebMentions {
    try WebMentions(allWebMentions().all.filter { !leavingOut.isNamed(in: $0) })
  }

  /// Returns the stored webmentions with those that name a left-out account.
  private func allWebMentions() throws(ThreadStoreError) -> WebMentions {
    guard let bytes = try StoreFiles.read(webMentionsPath, atMost: WebMentions.largestFile) else {
      return WebMentions([])
    }
    return try WebMentions(bytes: bytes, file: webMentionsPath)
  }

  /// Replaces the stored webmentions by others, except those that name a left-out account. The file is written only if it changes, so that a
  /// build after it has nothing to do.
  ///
  /// - Returns: whether the file was written.
  @discardableResult
  package func save(_ mentions: WebMentions) throws(ThreadStoreError) -> Bool {
    let bytes = WebMentions(mentions.all.filter { !leavingOut.isNamed(in: $0) }).bytes
    guard !FileSystem.isFile(webMentionsPath, of: bytes) else { return false }
    if mentions.isEmpty, FileSystem.kind(of: webMentionsPath) == .nothing { return false }
    try StoreFiles.write(bytes, to: webMentionsPath)
    return true
  }
}

extension LeftOutAccounts {
  /// Whether a webmention is by one of these accounts or names one. It is left out as a whole.
  package func isNamed(in mention: WebMention) -> Bool {
    guard !isEmpty else { return false }
    return [mention.author, mention.authorURL, mention.source, mention.text].contains { text in
      text.map { isNamed(in: $0) } ?? false
    }
  }
}
