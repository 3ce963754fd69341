/// Writes a term's documents as a browser reads them: who has it, how much it counts there, and where it stands.
///
/// What a word counts in a text is its part of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) that
/// does not depend on the query, in fifteen levels: so that no lengths of documents have to be fetched.
struct PostingEncoder {
  /// A term of the dictionary.
  struct Encoded {
    /// Documents that have it in their text or title, in their title, in a label.
    var texts = 0
    var titles = 0
    var labels = 0
    var postings: [UInt8] = []
    var positions: [UInt8] = []
  }

  /// How soon more of a word adds nothing, and how much the length of a text counts.
  private static let saturation = 1.2
  private static let lengthShare = 0.6
  private static let titleLengthShare = 0.5

  private let collectors: [SearchCollector]
  private let documents: [SearchIndex.Place]
  private let averageLength: Double
  private let averageTitle: Double

  init(_ collectors: [SearchCollector], _ documents: [SearchIndex.Place]) {
    self.collectors = collectors
    self.documents = documents
    let count = Double(max(documents.count, 1))
    averageLength = max(1, Double(documents.reduce(0) { $0 + $1.entry.length }) / count)
    averageTitle = max(1, Double(documents.reduce(0) { $0 + $1.entry.titleLength }) / count)
  }

  func encode(_ postings: InvertedIndex.Postings) -> Encoded {
    var encoded = Encoded()
    var texts: [Int] = []
    var levels: [UInt8] = []
    var titles: [UInt8] = []
    var labels: [UInt8] = []
    var (lastTitle, lastLabel) = (-1, -1)
    for (id, offset) in zip(postings.documents, postings.offsets) {
      let document = Int(id)
      let place = documents[document]
      collectors[place.collector].log.withUnsafeBufferPointer { log in
        var reader = VarintReader(bytes: log, offset: offset)
        let flags = reader.next()
        let weight = reader.next()
        if flags & 1 != 0 {
          labels.append(varint: document - lastLabel)
          lastLabel = document
          encoded.labels += 1
        }
        if flags & 2 != 0 {
          titles.append(varint: document - lastTitle)
          titles.append(titleLevel(place.entry))
          lastTitle = document
          encoded.titles += 1
        }
        guard weight > 0 || flags & 2 != 0 else { return }
        texts.append(document)
        levels.append(level(weight, place.entry))
        let start = reader.offset
        reader.skip(reader.next())
        encoded.positions.append(contentsOf: log[start..<reader.offset])
      }
    }
    encoded.texts = texts.count
    encoded.postings = documentList(texts) + nibbles(levels) + titles + labels
    return encoded
  }

  /// 0 for a word that is not in the text, else 1 to 15.
  private func level(_ weight: Int, _ entry: SearchCollector.Entry) -> UInt8 {
    guard weight > 0 else { return 0 }
    let frequency = Double(weight) / 2
    let length = 1 - Self.lengthShare + Self.lengthShare * Double(entry.length) / averageLength
    let part = frequency / (frequency + Self.saturation * length)
    return UInt8(min(15, max(1, (part * 15).rounded())))
  }

  /// 1 to 255: more in a short title.
  private func titleLevel(_ entry: SearchCollector.Entry) -> UInt8 {
    let length =
      1 - Self.titleLengthShare + Self.titleLengthShare * Double(entry.titleLength) / averageTitle
    return UInt8(min(255, max(1, (255 / (1 + Self.saturation * length) * 1.5).rounded())))
  }

  /// A byte that tells the form: 0, distances from one document to the next; 1, a bit for each document of the site.
  private func documentList(_ list: [Int]) -> [UInt8] {
    var distances: [UInt8] = [0]
    var last = -1
    for document in list {
      distances.append(varint: document - last)
      last = document
    }
    let bitmapLength = (documents.count + 7) / 8
    guard distances.count > bitmapLength + 1 else { return distances }
    var bitmap = [UInt8](repeating: 0, count: bitmapLength + 1)
    bitmap[0] = 1
    for document in list { bitmap[1 + document / 8] |= 1 << UInt8(document % 8) }
    return bitmap
  }

  /// Two levels a byte, the first in the low half.
  private func nibbles(_ levels: [UInt8]) -> [UInt8] {
    stride(from: 0, to: levels.count, by: 2).map { index in
      levels[index] | (index + 1 < levels.count ? levels[index + 1] << 4 : 0)
    }
  }
}
