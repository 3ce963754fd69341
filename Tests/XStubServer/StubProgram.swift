import Foundation
import XStub

/// The stub as a program for manual tests. It prints its URL, the URLs of its threads and every request until
/// it is interrupted.
///
/// swift run x-stub [--port N] [--age DAYS] [--forbid-search-all] [--page-size N]
@main
struct StubProgram {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    func value(_ name: String) -> String? {
      guard let index = arguments.firstIndex(of: name), index + 1 < arguments.endIndex else { return nil }
      let value = arguments[index + 1]
      arguments.removeSubrange(index...index + 1)
      return value
    }
    let port = value("--port").flatMap { UInt16($0) } ?? 0
    let days = value("--age").flatMap { Double($0) } ?? 2
    var behaviour = StubBehaviour()
    behaviour.pageSize = value("--page-size").flatMap { Int($0) }
    behaviour.allowsSearchAll = !arguments.contains("--forbid-search-all")
    arguments.removeAll { $0 == "--forbid-search-all" }
    guard arguments.isEmpty else {
      print("x-stub: unknown argument \(arguments.joined(separator: " "))")
      exit(2)
    }
    let sample = StubWorld.sampleThread(startingAt: Date(timeIntervalSinceNow: -days * 86_400))
    let stub = try XStub(sample.world, behaviour: behaviour, port: port)
    describe(stub, sample)
    await follow(stub)
  }

  private static func describe(_ stub: XStub, _ sample: SampleThread) {
    print("base URL       \(stub.baseURL)")
    print("bearer token   \(stub.behaviour.bearerToken)")
    print("consumer key   \(stub.behaviour.consumerKey)")
    print("secret         \(stub.behaviour.consumerSecret)")
    print("first post     \(sample.world.url(of: sample.root))")
    print("in the middle  \(sample.world.url(of: sample.posts[sample.posts.count / 2]))")
    print("last post      \(sample.world.url(of: sample.last))")
    flush()
  }

  /// Prints the requests when they are answered.
  private static func follow(_ stub: XStub) async {
    var printed = 0
    while !Task.isCancelled {
      let requests = stub.requests
      for request in requests.dropFirst(printed) {
        // Waits for unanswered requests, but not for long.
        guard request.status != nil || request.arrivedAt.timeIntervalSinceNow < -2 else { break }
        print(request)
        printed += 1
      }
      flush()
      do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
    }
  }

  private static func flush() { fflush(nil) }
}
