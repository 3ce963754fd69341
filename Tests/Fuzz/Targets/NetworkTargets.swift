import Basics
import Foundation
import HTTPTransport
import NetworkSources
import ThreadModel
import ThreadStore
import XNetwork

extension FuzzTarget {
  /// Saved responses of X's API, of both versions. Every imported conversation can be stored, read back and
  /// rendered. A second import changes nothing.
  static let response = FuzzTarget(
    "response",
    dictionary: [
      "\"data\":[", "\"includes\":{", "\"tweets\":[", "\"users\":[", "\"referenced_tweets\":[",
      "\"conversation_id\":\"", "\"author_id\":\"", "\"in_reply_to_status_id_str\":\"", "\"id_str\":\"",
      "\"full_text\":\"", "\"text\":\"", "\"entities\":{\"urls\":[", "\"indices\":[0,1]",
      "\"start\":0,\"end\":1",
      "\"note_tweet\":{", "\"extended_tweet\":{", "\"display_text_range\":[0,1]", "\"type\":\"replied_to\"",
      "\"type\":\"quoted\"", "\"attachments\":{", "\"media_keys\":[", "\"poll_ids\":[", "\"withheld\":{",
      "\n{",
      "\"created_at\":\"2026-01-02T03:04:05.000Z\"", "\"edit_history_tweet_ids\":[", "&amp;", "😀", "t.co/",
    ], maximumLength: 16 << 10, openers: bytes("[", "{\"a\":"), testRuns: 120
  ) { bytes in
    func conversations(adding times: Int) -> (conversations: [Conversation], error: SourceError?) {
      var importer = XImporter()
      var failure: SourceError?
      for _ in 0..<times {
        do { try importer.take(bytes, file: "answer.json") } catch { failure = error }
      }
      return (importer.result().conversations, failure)
    }
    let once = conversations(adding: 1)
    let twice = conversations(adding: 2)
    try require(once.conversations == twice.conversations, "the same answer twice makes another conversation")
    if let error = once.error { try JSONPlace.check(error, in: bytes) }
    for conversation in once.conversations {
      try StoredForm.check(conversation)
      try PageForm.check(conversation)
    }
  }

  /// An unpacked archive of X. The input consists of its files, each after a line `=== path`.
  static let archive = FuzzTarget(
    "archive",
    dictionary: [
      "\n=== data/tweets.js\n", "\n=== data/account.js\n", "\n=== data/manifest.js\n",
      "\n=== data/note-tweet.js\n", "\n=== data/tweets-part1.js\n", "\n=== data/profile.js\n",
      "\n=== data/tweets_media/1-a.jpg\n", "window.YTD.tweets.part0 = [", "window.__THAR_CONFIG = {",
      "\"tweet\" : {",
      "\"id_str\" : \"", "\"in_reply_to_status_id_str\" : \"", "\"in_reply_to_user_id_str\" : \"",
      "\"full_text\" : \"", "\"noteTweet\":{", "\"edit_info\" : {", "\"editTweetIds\" : [",
      "\"accountId\" : \"",
      "\"count\" : \"", "\"dataTypes\" : {", "];", "'", "},",
    ], maximumLength: 16 << 10, openers: bytes("[", "{\"a\":"), testRuns: 80
  ) { bytes in
    let folder = ScratchFolder("archive")
    try folder.fill(ArchiveFiles.split(bytes))
    defer { folder.remove() }
    let made = Result { () throws(SourceError) in try ArchiveFiles.conversations(in: folder.path) }
    switch made {
    case .failure(let error): try require(!error.description.isEmpty, "a refusal without words")
    case .success(let imports):
      for made in imports {
        let posts = made.conversations.reduce(0) { $0 + $1.posts.count }
        try require(posts >= made.planned, "of \(made.planned) planned posts, \(posts) were made")
        for conversation in made.conversations {
          try StoredForm.check(conversation)
          try PageForm.check(conversation)
        }
      }
    }
  }

  /// Zip files: no name leaves the archive, no file is read beyond its limits, and a second read gives the
  /// same.
  static let zip = FuzzTarget(
    "zip",
    dictionary: [
      "PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "data/tweets.js", "../", "/etc/passwd", "..\\", "data/",
      "tweets_media/",
    ], maximumLength: 16 << 10, testRuns: 150
  ) { bytes in
    let folder = ScratchFolder("zip")
    try folder.fill([("archive.zip", bytes)])
    defer { folder.remove() }
    let source = XArchive.zip(folder.path + "/archive.zip")
    func read() throws(SourceError) -> [String: Int] {
      let listing = try source.list()
      var sizes: [String: Int] = [:]
      try source.read(Set(listing.entries.map(\.path))) { (entry, content) throws(SourceError) in
        var count = 0
        while let piece = try content.next() { count += piece.count }
        sizes[entry.path] = count
      }
      return sizes
    }
    let first = Result { () throws(SourceError) in try read() }
    let second = Result { () throws(SourceError) in try read() }
    try require(first == second, "read twice, the archive is another")
    guard case .success(let sizes) = first else { return }
    for (path, size) in sizes {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      try require(!parts.contains("..") && !parts.contains(".") && !parts.contains(""), "an entry \(path)")
      try require(!path.unicodeScalars.contains("\0"), "an entry with a NUL")
      try require(size <= 64 << 20 + bytes.count * 200, "\(path) unpacked to \(size) bytes")
    }
  }

  /// The start of a server's response and its headers.
  static let http = FuzzTarget(
    "http",
    dictionary: [
      "HTTP/1.1 200 OK\r\n", "Retry-After: ", "Location: ", "\r\n", "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "https://", "http://127.0.0.1", "[::1]",
      "::ffff:10.0.0.1", "0x7f.1", "@", "%00", "localhost", "//", "\\", "x-rate-limit-reset: ",
    ], maximumLength: 1024, testRuns: 1000
  ) { bytes in
    var head = AnswerHead()
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      _ = line.withUnsafeBytes { head.add($0) }
    }
    if let wait = RetryVerdict.retryAfter(head.headers, now: 1_800_000_000) {
      try require(wait.isFinite && wait >= 0, "a wait of \(wait) seconds")
    }
    for header in [
      head.headers["Location"], head.headers["Retry-After"], String(decoding: bytes, as: UTF8.self),
    ]
    .compactMap(\.self) {
      if let seconds = HTTPDate.seconds(header) {
        try require((-62_200_000_000...253_500_000_000).contains(seconds), "a date \(seconds) s from 1970")
      }
      try ReachedAddress.check(header)
    }
  }

  /// The frames of a WebSocket's server. Their events do not depend on the parts in which the bytes arrive.
  static let webSocket = FuzzTarget(
    "websocket",
    dictionary: ["\u{1}\u{2}a", "\u{0}\u{1}b", "\u{1}~\u{0}~", "\u{0}\u{0}", "é", "🧵"], testRuns: 600
  ) { bytes in
    let read = WebSocketReading(bytes, partSize: bytes.count)
    for size in [1, 2, 7] {
      try require(
        WebSocketReading(bytes, partSize: size) == read, "parts of \(size) bytes give other events")
    }
    for event in read.events {
      switch event {
      case .message(let message):
        try require(String(validating: message, as: UTF8.self) != nil, "a message that is not UTF-8")
      case .ping(let payload): try require(payload.count <= 125, "a ping of \(payload.count) bytes")
      case .closing(let closing):
        try require(closing.code == 0 || (1000..<5000).contains(closing.code), "the code \(closing.code)")
        try require(closing.reason.utf8.count <= 123, "a reason of \(closing.reason.utf8.count) bytes")
      }
    }
    try require(read.size <= WebSocketReading.maximumBytes, "\(read.size) bytes of payload")
  }
}

/// The events of a WebSocket up to its end, and the error in its bytes.
private struct WebSocketReading: Equatable {
  /// Less than the longest input, so that the limit is also reached.
  static let maximumBytes = 2048

  private(set) var events: [WebSocketFrameReader.Event] = []
  private var fault: WebSocketFault?

  init(_ bytes: [UInt8], partSize: Int) {
    var reader = WebSocketFrameReader(maximumBytes: Self.maximumBytes)
    var rest = bytes[...]
    do throws(WebSocketFault) {
      while !rest.isEmpty {
        var part = rest.prefix(partSize)
        rest = rest.dropFirst(partSize)
        while let event = try reader.next(&part) {
          events.append(event)
          if case .closing = event { return }
        }
      }
    } catch {
      fault = error
    }
  }

  /// The number of payload bytes in messages and pings.
  var size: Int {
    events.reduce(0) { sum, event in
      switch event {
      case .message(let bytes), .ping(let bytes): sum + bytes.count
      case .closing: sum
      }
    }
  }
}

/// A URL as read by the transport.
private enum ReachedAddress {
  static func check(_ text: String) throws(PropertyFailure) {
    if let address = IPAddress(text) {
      try require(IPAddress(address.description) == address, "\(address) reads back as another address")
    }
    guard let base = try? TransferTarget("https://ada.example/a/b?c") else {
      throw PropertyFailure("a plain URL is rejected")
    }
    for target in [try? TransferTarget(text), try? base.following(text)].compactMap(\.self) {
      try require(
        target.isPlain == !target.url.utf8.starts(with: "https://".utf8), "not https: \(target.url)")
      try require(!target.isPlain || target.isLoopback, "plain http to \(target.host)")
      let again = try? TransferTarget(target.url)
      try require(again == target, "\(target.url) reads back as \(String(describing: again))")
      // Compares libcurl's reading and ours of the part between `//` and the path. libcurl decodes `%` and
      // parses numbers. Damaged characters have no host in our reading, which is not a contradiction.
      guard let host = WebAddress.host(of: target.url) else { continue }
      let isName = host.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: ".") }
      try require(!isName || host == target.host, "the host of \(target.url) is \(target.host), not \(host)")
    }
  }
}

/// The files of an archive in one input.
private enum ArchiveFiles {
  static func split(_ bytes: [UInt8]) -> [(path: String, bytes: ArraySlice<UInt8>)] {
    var files: [(path: String, bytes: ArraySlice<UInt8>)] = []
    var path = "data/tweets.js"
    var start = 0
    var index = 0
    let mark = Array("=== ".utf8)
    func isMark(at index: Int) -> Bool {
      (index == 0 || bytes[index - 1] == 0x0A) && bytes[index...].starts(with: mark)
    }
    while index < bytes.count {
      guard isMark(at: index) else {
        index += 1
        continue
      }
      files.append((path, bytes[start..<index]))
      let line = bytes[(index + mark.count)...].prefix { $0 != 0x0A }
      path = safe(String(decoding: line, as: UTF8.self)) ?? path
      start = min(bytes.count, line.endIndex + 1)
      index = start
    }
    files.append((path, bytes[start...]))
    var seen: Set<String> = []
    return files.filter { !$0.bytes.isEmpty && files.count < 40 && seen.insert($0.path).inserted }
  }

  /// A path that may be written below a temporary folder. Other tests give hostile names to the archive's
  /// reader.
  private static func safe(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    let isPlain = path.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_./".utf8.contains(byte)
    }
    guard isPlain, (1...4).contains(parts.count), path.utf8.count < 100, parts.first == "data",
      parts.allSatisfy({ !$0.hasPrefix(".") }), parts.last?.contains(".") == true,
      parts.dropLast().allSatisfy({ !$0.contains(".") })
    else { return nil }
    return parts.joined(separator: "/")
  }

  /// The conversations of an import without and with the author's replies to others, and the number of posts
  /// in the plan.
  static func conversations(
    in folder: String
  ) throws(SourceError) -> [(planned: Int, conversations: [Conversation])] {
    let archive = try XArchive.open(folder)
    let survey = try archive.readSurvey()
    var imports: [(planned: Int, conversations: [Conversation])] = []
    for includesReplies in [false, true] {
      var choice = ExportChoice()
      choice.minPosts = 1
      choice.includesReplies = includesReplies
      choice.wantsMedia = false
      let plan = try ArchivePlan(survey, choice)
      var conversations: [Conversation] = []
      try plan.conversations(files: [:]) { conversations.append($0) }
      imports.append((plan.posts, conversations))
    }
    return imports
  }
}
