import UTF8Text

extension Renderer {
  /// The value of a path: its head from the innermost object that has it, the rest from there on or not at all.
  func value(of index: Int) -> TemplateValue {
    if index == Program.currentPath { return contexts[contexts.count - 1] }
    return program.paths.withUnsafeBufferPointer { paths in
      contexts.withUnsafeBufferPointer { contexts in
        for position in contexts.indices.reversed() {
          guard let found = contexts[position].field(paths[index].head) else { continue }
          return paths[index].tail.isEmpty ? found : value(of: paths[index].tail, in: found)
        }
        return .missing
      }
    }
  }

  private func value(of names: [TemplateName], in value: TemplateValue) -> TemplateValue {
    var value = value
    for name in names {
      guard let field = value.field(name) else { return .missing }
      value = field
    }
    return value
  }

  /// Appends a value as a variable tag writes it.
  mutating func append(_ value: TemplateValue, escaped: Bool) {
    switch value {
    case .text(let text):
      guard escaped else {
        output.append(text)
        return
      }
      switch kind {
      case .html: output.appendEscapingHTML(text)
      case .markdown: output.appendEscapingMarkdown(text)
      case .text: output.append(text)
      }
    case .markup(let buffer): output.append(buffer)
    case .integer(let integer): output.append(integer: integer)
    case .bool(let bool): output.append(bool ? "true" as StaticString : "false")
    case .missing, .list, .object: break
    }
  }

  /// Enters a section; `false` if it is not to be rendered.
  mutating func openSection(_ value: TemplateValue, body: Int) -> Bool {
    guard value.isTrue else { return false }
    switch value {
    case .list(let items):
      contexts.append(items[0])
      sections.append(Section(items: items, index: 0, body: body, pushedContext: true))
    case .bool:
      sections.append(Section(items: [], index: 0, body: body, pushedContext: false))
    default:
      contexts.append(value)
      sections.append(Section(items: [], index: 0, body: body, pushedContext: true))
    }
    return true
  }

  /// Goes on to the next item of the innermost section's list and returns where its body starts, or leaves the section.
  mutating func nextItem() -> Int? {
    let last = sections.count - 1
    let next = sections[last].index + 1
    if next < sections[last].items.count {
      sections[last].index = next
      contexts[contexts.count - 1] = sections[last].items[next]
      return sections[last].body
    }
    if sections.removeLast().pushedContext { contexts.removeLast() }
    return nil
  }

  /// Appends text of a template with the indentation before each of its lines that is not empty. Lines end at newlines of
  /// the template only: values are never indented.
  mutating func appendIndented(_ text: UnsafeBufferPointer<UInt8>, startsLine: Bool) {
    var startsLine = startsLine
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
      let isEmpty =
        text[start] == UInt8(ascii: "\n") || (text[start] == UInt8(ascii: "\r") && end == start + 2)
      if startsLine, !isEmpty { appendIndentation() }
      output.append(UnsafeBufferPointer(rebasing: text[start..<end]))
      startsLine = true
      start = end
    }
  }

  mutating func appendIndentation() {
    indentation.withUnsafeBufferPointer { output.append($0) }
  }
}
