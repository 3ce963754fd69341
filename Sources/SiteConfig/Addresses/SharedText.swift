import Basics

/// A shared text that contains the URL of a post: text from the share sheet of a phone ("Look at this
/// https://x.com/ada/status/1?s=20"), or the input of a form.
///
/// The text is not trusted. Only the post in a URL is used.
package struct SharedText: Sendable {
  /// In bytes. Real input is shorter: a field of a GitHub form has at most 65,536 characters.
  package static let maximumBytes = 300_000

  /// The parts of the text that may be URLs, in their order.
  private let candidates: [String]

  package init(_ text: String) {
    candidates = text.utf8.split { !Self.belongsToAddress($0) }.compactMap { run in
      var run = run
      // Punctuation at the end of a sentence is not part of a URL.
      while let last = run.last, ".:?&#".utf8.contains(last) { run.removeLast() }
      // All bytes are ASCII, so no character is cut.
      let word = String(decoding: run, as: UTF8.self)
      guard let scheme = word.firstRange(of: "://") else {
        // A URL without a scheme, such as `x.com/ada/status/1`, or a URI without a host.
        return word.contains("/") && word.contains(".") || word.contains(":") ? word : nil
      }
      // Text may precede the URL without a space: `url:https://…`.
      let start = word[..<scheme.lowerBound].lastIndex { !$0.isLetter }.map(word.index(after:))
      return String(word[(start ?? word.startIndex)...])
    }
  }

  /// Whether a byte can be part of a post's URL. All other characters, such as brackets and quotes, end a URL.
  private static func belongsToAddress(_ byte: UInt8) -> Bool {
    isASCIILetterOrDigit(byte) || "-._~:/?#@&+=%".utf8.contains(byte)
  }

  /// Returns the only post in the text.
  ///
  /// - Throws: ``InvalidValue`` if the text contains no post, with the problem of a URL that looks like a post's URL; also if it contains several
  ///   posts, because fetching the wrong post may cost money.
  package func post(_ addresses: AddressBook) throws(InvalidValue) -> PostReference {
    var posts: [PostReference] = []
    var seen: Set<String> = []
    var mistake: InvalidValue?
    for candidate in candidates {
      do throws(InvalidValue) {
        let post = try addresses.post(candidate)
        if seen.insert(post.identity).inserted { posts.append(post) }
      } catch {
        // A candidate without a scheme may be any word with a slash, so its problem is not reported.
        if candidate.firstRange(of: "://") != nil { mistake = mistake ?? error }
      }
    }
    guard let post = posts.first else {
      throw InvalidValue(
        "the text contains no URL of a post" + (mistake.map { ": \($0)" } ?? "")
          + (addresses.examplePost.map { "; expected one such as \($0)" } ?? ""))
    }
    guard posts.count == 1 else {
      throw InvalidValue(
        "the text contains the URLs of \(posts.count) posts; keep one of them: "
          + posts.prefix(5).map { clipped($0.address) }.joined(separator: ", ")
          + (posts.count > 5 ? ", …" : ""))
    }
    return post
  }
}
