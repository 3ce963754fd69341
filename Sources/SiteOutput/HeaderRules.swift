import Basics

/// The rules of a site's `_headers` file, as Netlify and Cloudflare Pages read it: a line with a path, in which `*` stands for any
/// characters, followed by indented lines with the headers for such paths. The headers of all matching rules are combined; `! Name` removes
/// a header.
package struct HeaderRules: Sendable {
  private struct Rule: Sendable {
    /// The path, split at the asterisks.
    let parts: [[UInt8]]
    var headers: [(name: String, value: String)] = []

    func covers(_ path: [UInt8]) -> Bool {
      guard let first = parts.first, path.starts(with: first) else { return false }
      guard parts.count > 1 else { return path.count == first.count }
      var rest = path[first.count...]
      for part in parts.dropFirst().dropLast() where !part.isEmpty {
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
      let last = parts.last ?? []
      return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
  }

  private var rules: [Rule] = []

  /// Reads the rules of a site; a site without a readable `_headers` file has no rules.
  package init(of folder: String) {
    self.init((try? FileBytes.read(folder + "/_headers", atMost: 1 << 20)) ?? [])
  }

  package init(_ bytes: [UInt8]) {
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line, as: UTF8.self).trimmed
      guard !text.isEmpty, !text.hasBytePrefix("#") else { continue }
      if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
        let name = text.prefix(upToBytes: ":")
        guard !rules.isEmpty else { continue }
        let value = text[name.endIndex...].dropFirst().trimmed
        rules[rules.count - 1].headers.append((name.trimmed.lowercased(), value))
      } else {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        rules.append(Rule(parts: parts.map(Array.init)))
      }
    }
  }

  /// Returns the headers for a path without percent-encoding, by lower-case name.
  package func headers(for path: String) -> [String: String] {
    var found: [String: String] = [:]
    let path = Array(path.utf8)
    for rule in rules where rule.covers(path) {
      for (name, value) in rule.headers {
        if let taken = name.without(bytePrefix: "!") {
          found[taken.trimmed] = nil
        } else {
          found[name] = found[name].map { "\($0), \(value)" } ?? value
        }
      }
    }
    return found
  }
}
