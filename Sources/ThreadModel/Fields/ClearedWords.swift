import Basics

/// Removes the names of left-out accounts from records of a network.
package struct ClearedWords: Sendable {
  let matcher: NameMatcher
  let platform: Platform

  func clearing(_ text: InlineText) -> InlineText {
    matcher.clearing(text, with: LeftOutAccounts.mark, on: platform)
  }

  /// Whether a value that the model does not define names any of these accounts.
  func names(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool: false
    case .integer(let number): matcher.isName(String(number))
    case .number(let text): matcher.isName(text)
    case .string(let text): matcher.isName(text) || matcher.isNamed(in: text)
    case .array(let values): values.contains(where: names)
    case .object(let members): members.contains { names($0.value) }
    }
  }
}

extension StoredRecord {
  package func cleared(_ role: FieldRole, by words: ClearedWords) -> Self? {
    var visitor = FieldClearer(root: self, words: words)
    Self.visit(&visitor)
    return visitor.isLeftOut ? nil : visitor.root
  }

  func cleared(by words: ClearedWords) -> Self { cleared([], by: words) ?? self }
}

/// Clears the fields of a record.
private struct FieldClearer<Root: StoredRecord>: RecordVisitor {
  var root: Root
  let words: ClearedWords
  /// Whether a required field names an account, so that the whole record is left out.
  var isLeftOut = false

  @inline(__always)
  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) {
    if let value = root[keyPath: path].cleared(role, by: words) {
      root[keyPath: path] = value
    } else {
      isLeftOut = true
    }
  }

  @inline(__always)
  mutating func text<Value: StoredText>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) {
    guard role.contains(.words), let value = Value(stored: root[keyPath: path].stored.map(words.clearing))
    else { return }
    root[keyPath: path] = value
  }

  func entities<Value: StoredText>(_ name: StaticString, of path: WritableKeyPath<Root, Value>) {}
}
