import Basics

/// A text that somebody passes on, in which the address of a post stands: what a phone's share sheet gives ("Look at this
/// https://x.com/ada/status/1?s=20"), or what somebody wrote into a form.
///
/// Whoever wrote it is not trusted: of it nothing is used but a post that an address names.
package struct SharedText: Sendable {
  /// More than anybody shares; a form's answer on GitHub ends at 65,536 characters.
  package static let maximumBytes = 300_000

  /// What may be addresses, in their order.
  private let candidates: [String]

  package init(_ text: String) {
    candidates = text.utf8.split { !Self.belongsToAddress($0) }.compactMap { run in
      var run = run
      // The end of a sentence is no part of an address.
      while let last = run.last, ".:?&#".utf8.contains(last) { run.removeLast() }
      // All bytes are ASCII, so that no character is cut.
      let word = String(decoding: run, as: UTF8.self)
      guard let scheme = word.firstRange(of: "://") else {
        // `x.com/ada/status/1`, as people type it.
        return word.contains("/") && word.contains(".") ? word : nil
      }
      // A word may stand before it without a blank: `url:https://…`.
      let start = word[..<scheme.lowerBound].lastIndex { !$0.isLetter }.map(word.index(after:))
      return String(word[(start ?? word.startIndex)...])
    }
  }

  /// Letters and digits of ASCII, and what stands in the addresses of posts: brackets, quotes and all other characters end one.
  private static func belongsToAddress(_ byte: UInt8) -> Bool {
    isASCIILetterOrDigit(byte) || "-._~:/?#@&+=%".utf8.contains(byte)
  }

  /// The one post that the text leads to.
  ///
  /// - Throws: ``InvalidValue`` where it leads to none, with what is wrong with an address that looks like one, or to several: which one is
  ///   meant is not for a program to say, as fetching may cost money.
  package func post(_ addresses: AddressBook) throws(InvalidValue) -> PostReference {
    var posts: [PostReference] = []
    var seen: Set<String> = []
    var mistake: InvalidValue?
    for candidate in candidates {
      do throws(InvalidValue) {
        let post = try addresses.post(candidate)
        if seen.insert(post.identity).inserted { posts.append(post) }
      } catch {
        // What has no scheme may be any word with a slash.
        if candidate.firstRange(of: "://") != nil { mistake = mistake ?? error }
      }
    }
    guard let post = posts.first else {
      throw InvalidValue(
        "no address of a post is in the text" + (mistake.map { ": \($0)" } ?? "")
          + "; expected one such as https://x.com/ada/status/1346889436626259968")
    }
    guard posts.count == 1 else {
      throw InvalidValue(
        "the text holds the addresses of \(posts.count) posts; leave one of them: "
          + posts.prefix(5).map { clipped($0.address) }.joined(separator: ", ")
          + (posts.count > 5 ? ", …" : ""))
    }
    return post
  }
}
