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
    let all: [UInt8]
    do {
      all = try spool.read(place)
    } catch {
      throw PipelineError(error, about: .content)
    }
    do throws(ByteReader.Truncated) {
      var bytes = ByteReader(all)
      var page = ThreadPage(
        summary: summary, body: UTF8Buffer(bytes: try bytes.bytes()), sourceURL: try bytes.optionalString(),
        mediaHosts: [])
      page.copies = try bytes.list { (bytes) throws(ByteReader.Truncated) in
        ThreadPage.Copy(platform: Platform(rawValue: try bytes.string()), url: try bytes.string())
      }
      page.mediaHosts = try bytes.list { (bytes) throws(ByteReader.Truncated) in try bytes.string() }
      page.contents = try bytes.list { (bytes) throws(ByteReader.Truncated) in
        let (title, anchor, number) = (try bytes.string(), try bytes.string(), try bytes.integer())
        return ContentsEntry(
          title: title, anchor: anchor, number: number == 0 ? nil : number, branch: try bytes.optionalString()
        )
      }
      page.actions = try bytes.list { (bytes) throws(ByteReader.Truncated) in
        PostActions(like: try bytes.string(), repost: try bytes.string(), reply: try bytes.string())
      }.first
      return page
    } catch {
      throw PipelineError(
        .io,
        ["\(summary.path.text): error: what was kept of this page while it was built was changed meanwhile."])
    }
  }
}
