/// The source text of HTML, cut at the tokens of ``HTMLTokenizer``: golden files contain the part of a page that a test is about.
package struct HTMLSource {
  private let bytes: [UInt8]
  private let tokens: [HTMLToken]
  /// The end of each token in `bytes`, where the next one starts.
  private let ends: [Int]

  /// - Throws: ``HTMLTokenError`` if the HTML is not strictly well formed.
  package init(_ html: String) throws(HTMLTokenError) {
    _ = try HTMLTokens(html)
    var tokenizer = HTMLTokenizer(bytes: Array(html.utf8))
    tokens = try tokenizer.run()
    ends = tokenizer.ends
    bytes = tokenizer.bytes
  }

  /// Returns the source of each outermost element that `matches`, in order, with its tags.
  package func elements(where matches: (HTMLStartTag) -> Bool) -> [String] {
    ranges(where: matches).map { text(start(of: $0.lowerBound)..<ends[$0.upperBound]) }
  }

  /// Returns the source, in which `replacement` stands for each outermost element that `matches`.
  package func replacing(
    where matches: (HTMLStartTag) -> Bool, with replacement: (HTMLTokens) -> String
  ) -> String {
    var result = ""
    var position = 0
    for range in ranges(where: matches) {
      result += text(position..<start(of: range.lowerBound))
      result += replacement(HTMLTokens(tokens: Array(tokens[range])))
      position = ends[range.upperBound]
    }
    return result + text(position..<bytes.count)
  }

  private func start(of token: Int) -> Int { token == 0 ? 0 : ends[token - 1] }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the tokens of each outermost element that `matches`, from its start tag to its end tag.
  private func ranges(where matches: (HTMLStartTag) -> Bool) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    var first: Int?
    var depth = 0
    for (number, token) in tokens.enumerated() {
      switch token {
      case .startTag(let tag):
        if first == nil, matches(tag) {
          if tag.isVoid { found.append(number...number) } else { (first, depth) = (number, 0) }
        }
        if !tag.isVoid { depth += 1 }
      case .endTag:
        depth -= 1
        if depth == 0, let start = first {
          found.append(start...number)
          first = nil
        }
      case .text, .comment, .doctype: break
      }
    }
    return found
  }
}
