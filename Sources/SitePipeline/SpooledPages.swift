import Files
import SiteOutput
import ThreadModel
import UTF8Text

/// The rendered threads of a build between its two steps: before all of them are rendered, nobody knows what their pages say of each other.
///
/// On the disk, as bodies are most of a site.
struct SpooledPages: Sendable {
  private let spool: SpoolFile

  init(_ spool: SpoolFile) { self.spool = spool }

  /// Keeps all of a page but its summary.
  ///
  /// - Returns: what `page` finds it by.
  func add(_ page: ThreadPage) throws(PipelineError) -> Range<Int> {
    var bytes = ByteWriter(capacity: page.body.count + 1024)
    bytes.write(page.body.bytes)
    bytes.write(page.sourceURL)
    bytes.write(page.copies) { bytes, copy in
      bytes.write(copy.platform.rawValue)
      bytes.write(copy.url)
    }
    bytes.write(page.mediaHosts) { $0.write($1) }
    bytes.write(page.contents) { bytes, entry in
      bytes.write(entry.title)
      bytes.write(entry.anchor)
      bytes.write(entry.number ?? 0)
      bytes.write(entry.branch)
    }
    bytes.write(page.actions.map { [$0] } ?? []) { bytes, actions in
      bytes.write(actions.like)
      bytes.write(actions.repost)
      bytes.write(actions.reply)
    }
    do {
      return try spool.append(bytes.bytes)
    } catch {
      throw PipelineError(error, about: .content)
    }
  }

  /// A page that was kept.
  func page(_ place: Range<Int>, of summary: ThreadSummary) throws(PipelineError) -> ThreadPage {
    do throws(FileError) {
      var bytes = ByteReader(try spool.read(place))
      let body = UTF8Buffer(bytes: bytes.bytes())
      var page = ThreadPage(
        summary: summary, body: body, sourceURL: bytes.optionalString(), mediaHosts: [])
      page.copies = bytes.list {
        ThreadPage.Copy(platform: Platform(rawValue: $0.string()), url: $0.string())
      }
      page.mediaHosts = bytes.list { $0.string() }
      page.contents = bytes.list { bytes in
        let (title, anchor, number) = (bytes.string(), bytes.string(), bytes.integer())
        return ContentsEntry(
          title: title, anchor: anchor, number: number == 0 ? nil : number, branch: bytes.optionalString())
      }
      page.actions =
        bytes.list { PostActions(like: $0.string(), repost: $0.string(), reply: $0.string()) }.first
      return page
    } catch {
      throw PipelineError(error, about: .content)
    }
  }
}

/// Values as bytes, for `ByteReader` of the same program.
private struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// A number from 0 on, seven bits a byte.
  mutating func write(_ number: Int) {
    var rest = UInt(bitPattern: number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func write(_ part: [UInt8]) {
    write(part.count)
    bytes += part
  }

  mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes += text.utf8
  }

  /// One more than its length, as 0 means none.
  mutating func write(_ text: String?) {
    guard let text else { return write(0) }
    write(text.utf8.count + 1)
    bytes += text.utf8
  }

  mutating func write<Element>(_ list: [Element], _ write: (inout ByteWriter, Element) -> Void) {
    self.write(list.count)
    for element in list { write(&self, element) }
  }
}

/// Reads what `ByteWriter` wrote.
private struct ByteReader {
  private let all: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { all = bytes }

  mutating func integer() -> Int {
    var number: UInt = 0
    var shift: UInt = 0
    while true {
      let byte = all[offset]
      offset += 1
      number |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(bitPattern: number) }
      shift += 7
    }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { offset += count }
    return all[offset..<offset + count]
  }

  mutating func bytes() -> [UInt8] { Array(take(integer())) }

  mutating func string() -> String { String(decoding: take(integer()), as: UTF8.self) }

  mutating func optionalString() -> String? {
    let count = integer()
    return count == 0 ? nil : String(decoding: take(count - 1), as: UTF8.self)
  }

  mutating func list<Element>(_ read: (inout ByteReader) -> Element) -> [Element] {
    (0..<integer()).map { _ in read(&self) }
  }
}
