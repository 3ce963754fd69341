import Foundation

/// A site.yml that was read, with what is doubtful in it.
package struct DecodedSiteConfig: Sendable, Equatable {
  package var config: SiteConfig
  package let warnings: [ConfigProblem]
  /// The file's name, as it stands in messages.
  package let file: String
  /// Where the entries of `sources` and `threads` stand, by their key path (`threads[0]`), hidden posts (`threads[0].hide[0]`),
  /// those of collections (`collections[0].threads[0]`), `output` or else `store`, and the values of `theme_options`.
  package let locations: [String: ConfigProblem.Location]
  /// The file itself, in UTF-8.
  package let bytes: [UInt8]
  /// The top keys, in the order of the file, each with its own text and all that belongs to it: changes to the file that leave a part as it is
  /// change nothing of what the part says.
  package let parts: [Part]

  package struct Part: Sendable, Equatable {
    package let key: String
    package let text: [UInt8]
  }

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
  package static let largestFile = StrictYAML<SiteConfig>.largestFile

  /// Reads a site.yml strictly: everything that is wrong with it is found in one go.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: its name for messages.
  ///   - addresses: how the addresses in it are understood.
  ///   - secrets: the credentials that the program uses, none of which may stand in the file.
  /// - Throws: ``SiteConfigError`` with all problems in the order of the lines.
  package static func decode(
    bytes: some Sequence<UInt8>, file: String, addresses: AddressBook, secrets: [String] = []
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    let bytes = Array(bytes)
    let decoded = try StrictYAML<SiteConfig>.decode(
      bytes: bytes, file: file, kind: "site.yml", addresses: addresses, secrets: secrets)
    return DecodedSiteConfig(
      config: decoded.section, warnings: decoded.warnings, file: file, locations: decoded.locations,
      bytes: bytes, parts: decoded.parts.map { DecodedSiteConfig.Part(key: $0.key, text: Array($0.text)) })
  }

  /// The same for text that is at hand.
  package static func decode(
    yaml: String, file: String, addresses: AddressBook
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    try decode(bytes: yaml.utf8, file: file, addresses: addresses)
  }
}
