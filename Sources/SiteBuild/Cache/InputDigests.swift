import Basics

/// Digests of all inputs of a build, except the records of URLs. A comparison with the digests of another build shows which kinds of inputs
/// have changed.
struct InputDigests: Sendable, Hashable {
  /// Options, settings, and the folder of the cache.
  let facts: [UInt8]
  /// The lines of site.yml, on which only messages depend.
  private(set) var lines: [UInt8]
  /// The style sheets of themes, and parts of style sheets.
  private(set) var styleSheets: [UInt8]
  /// Templates, words, other files of themes, and the owner's files.
  let files: [UInt8]
  /// The files of the threads that the site had.
  private(set) var threads: [UInt8]
  /// All other files of the store.
  let store: [UInt8]

  /// Whether all inputs of the site's files are equal. The messages may differ in their line numbers.
  func haveSameContent(as other: InputDigests) -> Bool { differOnly(in: \.lines, from: other) }

  /// Whether all inputs are equal except the files of the threads.
  func differOnlyInThreads(from other: InputDigests) -> Bool { differOnly(in: \.threads, from: other) }

  /// Whether style sheets differ, and all other inputs are equal.
  func differOnlyInStyleSheets(from other: InputDigests) -> Bool {
    styleSheets != other.styleSheets && differOnly(in: \.styleSheets, from: other)
  }

  private func differOnly(in part: WritableKeyPath<InputDigests, [UInt8]>, from other: InputDigests) -> Bool {
    var same = self
    same[keyPath: part] = other[keyPath: part]
    return same == other
  }
}

extension InputDigests: Record {
  static let fields = RecordFields(
    Self.init, \.facts, \.lines, \.styleSheets, \.files, \.threads, \.store)
}
