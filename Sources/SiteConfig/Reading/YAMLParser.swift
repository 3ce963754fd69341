import CYAML

/// libyaml's parser for one text. This type owns the parser's memory and the bytes of the text.
///
/// The parser does not recurse and keeps no tree, so the caller limits the depth and the size of a document.
package struct YAMLParser: ~Copyable {
  /// A syntax error, in libyaml's words.
  package struct SyntaxError: Error, Sendable {
    /// The problem, such as "could not find expected ':'"; empty if libyaml has no message.
    package let problem: String
    package let mark: SourceMark
    /// The construct that was being read, such as "while scanning a simple key", and its start.
    package let context: String?
    package let contextMark: SourceMark?
  }

  /// A part of the document. A list or a mapping is two events with its content between them.
  package struct Event: Sendable {
    package enum Kind: Sendable {
      case documentStart
      case scalar(String, isPlain: Bool)
      case alias
      case listStart
      case mappingStart
      /// The end of a list or a mapping.
      case collectionEnd
      case streamEnd
    }

    package let kind: Kind
    /// The position of the first character, which may begin an anchor or a tag.
    package let start: SourceMark
    /// The position after the last character.
    package let end: SourceMark
    package let hasAnchor: Bool
    /// The tag as a full name, such as `tag:yaml.org,2002:str`; `nil` if the text has none.
    package let tag: String?
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>

  /// - Parameter bytes: the text, in UTF-8 without a byte order mark.
  package init(_ bytes: some Collection<UInt8>) {
    input = .allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    parser = .allocate(capacity: 1)
    // The initialization fails only if memory is exhausted. Every call on the zeroed parser then reports an error.
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next event; after the last one always `streamEnd`.
  package mutating func next() throws(SyntaxError) -> Event {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError }
      defer { yaml_event_delete(&event) }
      if let event = Self.event(event) { return event }
    }
  }

  /// Returns an event as a value; `nil` for the start of the text and the end of a document, which callers do not need.
  private static func event(_ event: yaml_event_t) -> Event? {
    typealias Text = UnsafeMutablePointer<yaml_char_t>
    func value(_ kind: Event.Kind, anchor: Text? = nil, tag: Text? = nil) -> Event {
      Event(
        kind: kind, start: SourceMark(event.start_mark), end: SourceMark(event.end_mark),
        hasAnchor: anchor != nil, tag: tag.map { String(cString: $0) })
    }
    switch event.type {
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: return nil
    case YAML_DOCUMENT_START_EVENT: return value(.documentStart)
    case YAML_ALIAS_EVENT: return value(.alias)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
      return value(.scalar(text, isPlain: isPlain), anchor: scalar.anchor, tag: scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      let list = event.data.sequence_start
      return value(.listStart, anchor: list.anchor, tag: list.tag)
    case YAML_MAPPING_START_EVENT:
      let mapping = event.data.mapping_start
      return value(.mappingStart, anchor: mapping.anchor, tag: mapping.tag)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return value(.collectionEnd)
    default: return value(.streamEnd)
    }
  }

  private var syntaxError: SyntaxError {
    let state = parser.pointee
    return SyntaxError(
      problem: state.problem.map { String(cString: $0) } ?? "", mark: SourceMark(state.problem_mark),
      context: state.context.map { String(cString: $0) },
      contextMark: state.context == nil ? nil : SourceMark(state.context_mark))
  }
}

extension SourceMark {
  /// libyaml counts lines and columns from 0.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}
