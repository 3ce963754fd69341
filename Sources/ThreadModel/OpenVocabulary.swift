package import Basics

/// A word from a server's vocabulary, which may grow: known words are constants, unknown words are kept unchanged.
///
/// Only rendering has to decide how to show an unknown word.
package protocol OpenVocabulary: RawRepresentable<String>, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  init(rawValue: String)
}

extension OpenVocabulary {
  package init(stringLiteral value: String) { self.init(rawValue: value) }
  package var description: String { rawValue }
}

/// The network of a post. The target of each network defines its constant.
package struct Platform: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

extension Platform: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(rawValue: try reader.word())
  }
  package func write(to writer: inout ByteWriter) { writer.write(word: rawValue) }
}

extension Platform {
  /// The network's name as its users write it: the word with a capital letter.
  package var displayName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
