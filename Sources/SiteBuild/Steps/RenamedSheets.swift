/// Style sheets whose published names differ from those of the last build, because their contents have changed.
///
/// A page contains nothing else of a style sheet. So after a change to the style of a site, its pages need not be rendered again.
struct RenamedSheets: Sendable {
  private struct Name: Sendable {
    let old: [UInt8]
    let new: [UInt8]
  }

  private let names: [Name]

  /// - Returns: `nil` if more than the names differs, or if a name has another length, because the places of texts in pages would then change.
  init?(from old: BuildEnvironment, to new: BuildEnvironment) {
    guard old.pages == new.pages, Set(old.sheets.keys) == Set(new.sheets.keys) else { return nil }
    var names: [Name] = []
    for (sheet, path) in old.sheets {
      guard let other = new.sheets[sheet], path != other else { continue }
      names.append(Name(old: Array(path.utf8), new: Array(other.utf8)))
    }
    guard names.allSatisfy({ $0.old.count == $0.new.count }) else { return nil }
    self.names = names
  }

  /// Whether all style sheets have the same names.
  var isEmpty: Bool { names.isEmpty }

  /// Returns a page with the new names.
  ///
  /// - Returns: `nil` if an old name is elsewhere than in a `<link>`. It may then be a word of a post, because everybody can read the names.
  func replaced(in page: [UInt8]) -> [UInt8]? {
    var new = page
    for name in names {
      for start in Self.places(of: name.old, in: page) {
        let place = start..<start + name.old.count
        guard Self.isInLink(place, page) else { return nil }
        new.replaceSubrange(place, with: name.new)
      }
    }
    return new
  }

  /// Whether a text contains an old name.
  func occur(in text: [UInt8]) -> Bool { names.contains { !Self.places(of: $0.old, in: text).isEmpty } }

  /// Whether a name is the end of the `href` of a `<link>`. Quotation marks and `<` are always escaped in texts and values.
  private static func isInLink(_ name: Range<Int>, _ page: [UInt8]) -> Bool {
    let bounds = [UInt8(ascii: "<"), UInt8(ascii: ">")]
    guard page[name.upperBound...].first == UInt8(ascii: "\""),
      let value = page[..<name.lowerBound].lastIndex(of: UInt8(ascii: "\"")),
      page[..<value].suffix(6).elementsEqual(" href=".utf8),
      let tag = page[..<value].lastIndex(where: bounds.contains)
    else { return false }
    return page[tag...].starts(with: "<link ".utf8)
  }

  /// Returns the indices at which a text occurs, found with Horspool's algorithm, which reads few of a page's bytes.
  private static func places(of text: [UInt8], in page: [UInt8]) -> [Int] {
    guard let last = text.last else { return [] }
    var steps = [Int](repeating: text.count, count: 256)
    for (index, byte) in text.dropLast().enumerated() { steps[Int(byte)] = text.count - 1 - index }
    return page.withUnsafeBufferPointer { page in
      var places: [Int] = []
      var end = text.count - 1
      while end < page.count {
        let byte = page[end]
        if byte == last {
          let start = end - (text.count - 1)
          if text.indices.allSatisfy({ page[start + $0] == text[$0] }) { places.append(start) }
        }
        end += steps[Int(byte)]
      }
      return places
    }
  }
}
