import Basics

/// The entries of a site's threads for the next build, by the stems of their files.
///
/// Has no list of fields, for speed: the entries are written in no particular order.
struct ThreadEntries: Sendable {
  private var byStem: [String: Boxed<PreviousBuild.Entry>] = [:]

  init(capacity: Int = 0) { byStem.reserveCapacity(capacity) }

  var count: Int { byStem.count }
  var stems: some Collection<String> { byStem.keys }
  var all: some Collection<PreviousBuild.Entry> { byStem.values.lazy.map(\.value) }

  func contains(_ stem: String) -> Bool { byStem[stem] != nil }

  subscript(stem: String) -> PreviousBuild.Entry? {
    get { byStem[stem]?.value }
    set { byStem[stem] = newValue.map { Boxed($0) } }
  }

  /// Calls a function with each stem and its entry, in no particular order.
  func forEach<Failure: Error>(
    _ body: (String, PreviousBuild.Entry) throws(Failure) -> Void
  ) throws(Failure) {
    for (stem, entry) in byStem { try body(stem, entry.value) }
  }
}

extension ThreadEntries: ByteCodable {
  init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    let count = try reader.count()
    self.init(capacity: count)
    for _ in 0..<count {
      let stem = try reader.string()
      byStem[stem] = Boxed(try PreviousBuild.Entry(from: &reader))
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.write(count)
    for (stem, entry) in byStem {
      writer.write(stem)
      entry.value.write(to: &writer)
    }
  }
}
