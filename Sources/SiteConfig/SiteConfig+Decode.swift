import Foundation

/// A site.yml that was read, with what is doubtful in it.
package struct DecodedSiteConfig: Sendable, Equatable {
  package var config: SiteConfig
  package let warnings: [ConfigProblem]
  /// The file's name, as it stands in messages.
  package let file: String
  /// Where the entries of `threads` stand, by their key path (`threads[0]`), and `output` or else `store`.
  package let locations: [String: ConfigProblem.Location]

  /// A problem which a later stage has with an entry, such as that the store lacks its thread, in the same form.
  package func problem(
    at keyPath: String, _ message: String, severity: ConfigProblem.Severity
  ) -> ConfigProblem {
    ConfigProblem(
      file: file, location: locations[keyPath], keyPath: keyPath, message: message, severity: severity)
  }
}

extension SiteConfig {
  /// The largest file that is read, in bytes: some ten thousand threads.
  package static let largestFile = 1_000_000

  /// Reads a site.yml strictly: everything that is wrong with it is found in one go.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: its name for messages.
  /// - Throws: ``SiteConfigError`` with all problems in the order of the lines.
  package static func decode(
    bytes: some Sequence<UInt8>, file: String
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    var bytes = Array(bytes)
    func failure(_ message: String, _ location: ConfigProblem.Location? = nil) -> SiteConfigError {
      SiteConfigError(problems: [ConfigProblem(file: file, location: location, message: message)])
    }
    guard bytes.count <= largestFile else {
      throw failure("the file is larger than \(largestFile / 1_000_000) MB, which no site.yml is")
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
    return try decode(SourceText(bytes: bytes), file: file)
  }

  /// The same for text that is at hand.
  package static func decode(yaml: String, file: String) throws(SiteConfigError) -> DecodedSiteConfig {
    try decode(bytes: yaml.utf8, file: file)
  }

  private static func decode(
    _ source: SourceText, file: String
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    var problems = ProblemList()
    let root = YAMLDocument.compose(source, problems: &problems)
    var config: SiteConfig? = defaults
    if let root, !root.isNull {
      config = ValueReader<SiteConfig>.section.read(ConfigValue(node: root, path: ""), &problems)
    }
    let found = problems.problems(of: source, file: file)
    guard let config, !problems.hasErrors else { throw SiteConfigError(problems: found) }
    return DecodedSiteConfig(
      config: config, warnings: found, file: file,
      locations: problems.places.mapValues { problems.location(of: $0, in: source) })
  }

  /// Where the bytes stop being UTF-8; `nil` where they never do.
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
