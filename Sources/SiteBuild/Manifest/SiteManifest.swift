package import Basics
package import ThreadModel

/// The record of a build, with which others can verify that a store and a version of the program produce a site: the version, the options,
/// digests of all inputs, and the digest of every file of the site.
///
/// All digests are SHA-256 in hexadecimal digits. The digest of a folder is that of the output of `sha256sum` for its files, sorted by the
/// bytes of their paths, which are relative to the folder. Hidden files are left out.
package struct SiteManifest: Sendable, Equatable {
  /// The version of the program.
  package let program: String
  /// The URL of the site, if the command line replaced the one in site.yml.
  package let baseURL: String?
  /// Whether the site has the drafts.
  package let includesDrafts: Bool
  /// The time of the build, if threads waited for their time of publication. Otherwise, the site does not depend on it.
  package let time: Timestamp?
  /// The digests of the inputs by their names, such as `site.yml` and `threads`. Folders that do not exist are left out.
  package let inputs: [String: String]
  /// The digests of the site's files by their paths.
  package let files: [String: String]
}

extension SiteManifest {
  /// Reads a manifest.
  ///
  /// - Returns: `nil` if the value is not a manifest.
  package init?(_ value: JSONValue) {
    func digests(_ key: String) -> [String: String]? {
      guard let members = value[key]?.object else { return nil }
      var digests: [String: String] = [:]
      for (name, digest) in members {
        guard let digest = digest.string else { return nil }
        digests[name] = digest
      }
      return digests
    }
    guard let program = value["program"]?.string, let inputs = digests("inputs"),
      let files = digests("files"),
      let includesDrafts = value["drafts"]?.bool
    else { return nil }
    self.init(
      program: program, baseURL: value["base_url"]?.string, includesDrafts: includesDrafts,
      time: value["time"]?.string.flatMap { Timestamp(iso8601: $0) }, inputs: inputs,
      files: files)
  }

  /// The manifest as JSON, sorted by name, so that equal manifests have equal bytes.
  package var json: JSONValue {
    func object(_ digests: [String: String]) -> JSONValue { .object(digests.mapValues { .string($0) }) }
    return .object([
      "program": .string(program), "base_url": baseURL.map { .string($0) } ?? .null,
      "drafts": .bool(includesDrafts), "time": time.map { .string($0.iso8601) } ?? .null,
      "inputs": object(inputs), "files": object(files),
    ])
  }

  /// A name with a different digest, or with a digest in only one of two manifests.
  package struct Difference: Sendable {
    package enum Kind: Sendable { case changed, missing, added }

    package let name: String
    package let kind: Kind
  }

  /// Returns the differences between the digests of a manifest and those that were found, sorted by name.
  static func differences(_ expected: [String: String], _ found: [String: String]) -> [Difference] {
    Set(expected.keys).union(found.keys).sorted().compactMap { name in
      switch (expected[name], found[name]) {
      case (let expected?, let found?): expected == found ? nil : Difference(name: name, kind: .changed)
      case (_?, nil): Difference(name: name, kind: .missing)
      default: Difference(name: name, kind: .added)
      }
    }
  }
}
