import Basics

/// Sorts the entries of an archive into files that may be read, files that are skipped with a message, and files that are ignored.
struct EntryCollector {
  let archive: String
  let rules: any ArchiveRules
  /// The number of entries whose names are not UTF-8.
  var unnamed = 0

  private var entries: [String: ArchiveEntry] = [:]
  private var order: [String] = []
  private var messages: [String] = []
  private var zips: [String] = []

  init(archive: String, _ rules: any ArchiveRules) {
    self.archive = archive
    self.rules = rules
  }

  /// Adds an entry of the archive.
  ///
  /// - Throws: if a file of facts is repeated or a file that would be read is encrypted.
  mutating func add(
    _ name: String, size: Int?, isFile: Bool, isEncrypted: Bool = false
  ) throws(SourceError) {
    let path: String
    switch ArchivePath.normal(name) {
    case .success(let normal): path = normal
    case .failure(let error):
      messages.append(
        "\(archive): skipped \"\(TextControls.shownOnOneLine(String(name.prefix(100))))\": \(error.problem.rawValue)"
      )
      return
    }
    if path.lowercased().hasByteSuffix(".zip") { zips.append(path) }
    guard let role = rules.role(of: path) else { return }
    guard isFile else {
      messages.append(
        "\(archive)/\(path): skipped, because it is a symbolic link or another special file")
      return
    }
    guard !isEncrypted else {
      throw SourceError(
        export: archive, path, "is encrypted: unpack the archive with its password, and import the folder")
    }
    if entries[path] != nil {
      guard role == .media else {
        throw SourceError(export: archive, path, "appears twice")
      }
      messages.append("\(archive)/\(path): appears twice; the first one is used")
      return
    }
    entries[path] = ArchiveEntry(path: path, size: size)
    order.append(path)
  }

  func finish(_ listing: inout ArchiveListing) {
    listing.entries = order.compactMap { entries[$0] }
    listing.zips = zips
    listing.passedOver = Array(messages.prefix(ArchiveLimits.messages))
    if messages.count > ArchiveLimits.messages {
      listing.passedOver.append(
        "\(archive): \(messages.count - ArchiveLimits.messages) more entries were skipped for similar reasons"
      )
    }
    if unnamed > 0 {
      listing.passedOver.append("\(archive): skipped \(unnamed) files whose names are not valid UTF-8")
    }
  }
}
