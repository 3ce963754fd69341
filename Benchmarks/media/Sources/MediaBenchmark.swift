import Foundation
import HTTPTransport
import MediaMirror
import ThreadModel
import ThreadStore

/// Mirrors the media of a generated conversation, for `Benchmarks/media/run.sh`. This is exactly the work of fetching media.
///
///     media-benchmark LIST STORE AT_ONCE
///
/// LIST is a file with one URL per line. Prints the number of fetched files. Any failure is an error.
@main struct MediaBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let atOnce = arguments.last.flatMap({ Int($0) }) else {
      FileHandle.standardError.write(Data("usage: media-benchmark LIST STORE AT_ONCE\n".utf8))
      exit(2)
    }
    let list = try String(contentsOfFile: arguments[arguments.startIndex], encoding: .utf8)
    let store = ThreadStore(folder: arguments[arguments.startIndex + 1])
    var options = MediaMirrorOptions()
    options.atOnce = atOnce
    let media = conversation(list.split(separator: "\n").map(String.init))
    let report = try await CurlTransport.withTransport(
      userAgent: "threadsite-benchmark", options: connections(atOnce)
    ) { [options] transport in
      try await MediaMirror(store: store, transport: transport, options: options).mirror(media).1
    }
    for failure in report.failures {
      FileHandle.standardError.write(Data("\(failure.url): \(failure.reason)\n".utf8))
    }
    print("\(report.fetched) files, \(report.bytes) bytes")
    exit(report.failures.isEmpty ? 0 : 1)
  }

  private static func connections(_ atOnce: Int) -> CurlOptions {
    var options = CurlOptions()
    options.maximumTransfers = atOnce
    options.maximumTransfersPerHost = atOnce
    options.allowsLoopback = true
    return options
  }

  /// Returns a conversation of posts with four photos each.
  private static func conversation(_ urls: [String]) -> Conversation {
    let author = AuthorID("1", on: "x")
    var conversation = Conversation(id: PostID("1", on: "x"), authorID: author)
    for start in stride(from: 0, to: urls.count, by: 4) {
      var post = Post(id: PostID("\(start + 1)", on: "x"), authorID: author)
      post.media = urls[start..<min(start + 4, urls.count)].map { Media(id: $0, kind: .photo, url: $0) }
      conversation.posts.append(post)
    }
    return conversation
  }
}
