/// A file that consists of a single section: a site.yml, a theme.yml.
struct StrictYAML<Section: ConfigSection>: Sendable {
  let section: Section
  let warnings: [ConfigProblem]
  /// The locations of remembered values, by key path.
  let locations: [String: ConfigProblem.Location]
  /// The top-level keys, each with its text in the file.
  let parts: [(key: String, text: ArraySlice<UInt8>)]

  /// The maximum size of a file, in bytes.
  static var largestFile: Int { 1_000_000 }

  /// Reads a file strictly and reports all its problems at once.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: the file's name for messages.
  ///   - kind: the name of this kind of file in messages.
  ///   - addresses: the readers for URLs of posts and accounts in the file.
  ///   - secrets: credentials of any form that the file must not contain.
  static func decode(
    bytes: some Sequence<UInt8>, file: String, kind: String, addresses: AddressBook = AddressBook([]),
    secrets: [String] = []
  ) throws(SiteConfigError) -> StrictYAML {
    let bytes = try checked(bytes: bytes, file: file, kind: kind)
    return try decode(SourceText(bytes: bytes), file: file, SecretMask(secrets: secrets), addresses)
  }

  /// Returns the file's bytes without a byte order mark. Throws if the file is too large or not UTF-8.
  static func checked(
    bytes: some Sequence<UInt8>, file: String, kind: String
  ) throws(SiteConfigError) -> [UInt8] {
    var bytes = Array(bytes)
    func failure(_ message: String, _ location: ConfigProblem.Location? = nil) -> SiteConfigError {
      SiteConfigError(problems: [ConfigProblem(file: file, location: location, message: message)])
    }
    guard bytes.count <= largestFile else {
      throw failure("the file is larger than \(largestFile / 1_000_000) MB, the limit for \(kind)")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw failure("the file is UTF-16; save it as UTF-8")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if let offset = firstInvalidByte(of: bytes) {
      let valid = SourceText(bytes: Array(bytes[..<offset]))
      let mark = valid.mark(ofByte: offset)
      let location = ConfigProblem.Location(
        line: mark.line, column: mark.column, sourceLine: SecretMask.masking(valid.line(mark.line)))
      throw failure("the file is not UTF-8 from here on; save it as UTF-8", location)
    }
    return bytes
  }

  /// Returns the values that can be read, despite errors in the file; `nil` if the file is not valid YAML.
  static func readable(in bytes: [UInt8], addresses: AddressBook) -> Section? {
    guard bytes.count <= largestFile, firstInvalidByte(of: bytes) == nil else { return nil }
    var problems = ProblemList(addresses: addresses)
    guard let root = YAMLDocument.compose(SourceText(bytes: bytes), problems: &problems) else { return nil }
    return ValueReader<Section>.section.read(ConfigValue(node: root, path: ""), &problems)
  }

  private static func decode(
    _ source: SourceText, file: String, _ mask: SecretMask, _ addresses: AddressBook
  ) throws(SiteConfigError) -> StrictYAML {
    var problems = ProblemList(mask: mask, addresses: addresses)
    let root = YAMLDocument.compose(source, problems: &problems)
    var section: Section? = Section.defaults
    if let root, !root.isNull {
      section = ValueReader<Section>.section.read(ConfigValue(node: root, path: ""), &problems)
    }
    let found = problems.problems(of: source, file: file)
    guard let section, !problems.hasErrors else { throw SiteConfigError(problems: found) }
    return StrictYAML(
      section: section, warnings: found,
      locations: problems.locations(in: source), parts: parts(of: root, in: source))
  }

  /// Splits the file into parts, from each top-level key to the next one.
  private static func parts(
    of root: ConfigNode?, in source: SourceText
  ) -> [(key: String, text: ArraySlice<UInt8>)] {
    guard case .mapping(let entries)? = root?.content else { return [] }
    let starts = entries.map { source.scalarRange(at: $0.keyMark)?.lowerBound ?? source.bytes.count }
    return entries.enumerated().map { position, entry in
      let end = position + 1 < starts.count ? starts[position + 1] : source.bytes.count
      return (entry.key, source.bytes[starts[position]..<max(starts[position], end)])
    }
  }

  /// Returns the offset at which the bytes stop being valid UTF-8; `nil` if all are valid.
  private static func firstInvalidByte(of bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded): offset += encoded.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}
