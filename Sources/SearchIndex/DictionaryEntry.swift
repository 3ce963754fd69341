/// The data of a term in a file of the dictionary.
struct DictionaryEntry: Sendable, Equatable {
  /// Bytes of a term: beside it, or in a separate file with this name.
  enum Piece: Sendable, Equatable {
    case bytes([UInt8])
    case file(String)
  }

  /// The number of documents that contain the term, and of documents that contain it in their title or a label.
  var documents: Int
  var titled: Int
  var postings: Piece
  var positions: Piece
  /// The number of bytes of `positions`.
  var positionsSize: Int

  /// The flags of pieces in separate files.
  private static let postingsFlag = 1
  private static let positionsFlag = 2

  /// Writes the entry of a term. Its positions are in a different file.
  ///
  /// - Parameter previous: the term before it in the same file; empty for the first one.
  func write(_ term: [UInt8], after previous: [UInt8], to shard: inout [UInt8]) {
    let shared = Self.shared(previous, term)
    shard.append(varint: shared.units)
    shard.append(varint: term.count - shared.bytes)
    shard += term[shared.bytes...]
    shard.append(varint: documents)
    shard.append(varint: titled)
    shard.append(varint: positionsSize)
    shard.append(
      varint: (postings.isFile ? Self.postingsFlag : 0) | (positions.isFile ? Self.positionsFlag : 0))
    switch postings {
    case .file(let name): shard += name.utf8
    case .bytes(let bytes):
      shard.append(varint: bytes.count)
      shard += bytes
    }
    if case .file(let name) = positions { shard += name.utf8 }
  }

  /// Reads all entries of a file of the dictionary.
  ///
  /// - Parameters:
  ///   - shard: the bytes of the file.
  ///   - positions: the bytes of the file with its positions.
  /// - Returns: `nil` if another program wrote the files.
  static func all(
    in shard: [UInt8], positions: [UInt8]
  ) -> [(term: [UInt8], entry: DictionaryEntry)]? {
    var entries: [(term: [UInt8], entry: DictionaryEntry)] = []
    var offset = 0
    var place = 0
    return shard.withUnsafeBufferPointer { bytes in
      while offset < bytes.count {
        var reader = VarintReader(bytes: bytes, offset: offset)
        let (units, length) = (reader.next(), reader.next())
        guard length >= 0, length <= bytes.count - reader.offset,
          var term = prefix(of: entries.last?.term ?? [], units: units)
        else { return nil }
        term += bytes[reader.offset..<reader.offset + length]
        reader.offset += length
        let (documents, titled, size, flags) = (reader.next(), reader.next(), reader.next(), reader.next())
        func take(_ count: Int, from reader: inout VarintReader) -> [UInt8]? {
          guard count >= 0, count <= bytes.count - reader.offset else { return nil }
          defer { reader.offset += count }
          return Array(bytes[reader.offset..<reader.offset + count])
        }
        func name(from reader: inout VarintReader) -> Piece? {
          take(SearchIndex.nameLength, from: &reader).map { .file(String(decoding: $0, as: UTF8.self)) }
        }
        let postings: Piece?
        if flags & postingsFlag != 0 {
          postings = name(from: &reader)
        } else {
          let count = reader.next()
          postings = take(count, from: &reader).map { .bytes($0) }
        }
        let own: Piece?
        if flags & positionsFlag != 0 {
          own = name(from: &reader)
        } else {
          guard size >= 0, size <= positions.count - place else { return nil }
          own = .bytes(Array(positions[place..<place + size]))
          place += size
        }
        guard let postings, let own else { return nil }
        entries.append(
          (
            term,
            DictionaryEntry(
              documents: documents, titled: titled, postings: postings, positions: own, positionsSize: size)
          ))
        offset = reader.offset
      }
      return place == positions.count ? entries : nil
    }
  }

  /// Returns the length of the common prefix of two terms in whole scalars, counted in bytes and in the UTF-16 units that scripts use.
  private static func shared(_ left: [UInt8], _ right: [UInt8]) -> (bytes: Int, units: Int) {
    var bytes = zip(left, right).prefix { $0 == $1 }.count
    while bytes > 0, bytes < right.count, right[bytes] & 0xC0 == 0x80 { bytes -= 1 }
    return (bytes, right[..<bytes].reduce(0) { $0 + units(of: $1) })
  }

  /// Returns the beginning of a term with this number of UTF-16 units; `nil` if the term is shorter.
  private static func prefix(of term: [UInt8], units: Int) -> [UInt8]? {
    var rest = units
    var bytes = 0
    while bytes < term.count, rest > 0 || Self.units(of: term[bytes]) == 0 {
      rest -= Self.units(of: term[bytes])
      bytes += 1
    }
    return rest == 0 ? Array(term[..<bytes]) : nil
  }

  /// Returns the number of UTF-16 units of a scalar, if the byte is its first one: two for a scalar of four bytes; otherwise 0.
  private static func units(of byte: UInt8) -> Int { byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
}

extension DictionaryEntry.Piece {
  var isFile: Bool { if case .file = self { true } else { false } }
}
