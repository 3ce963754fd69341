import TestSupport
import Testing
import ThreadModel

/// A property that is missing from the list of fields would be neither read nor written nor merged.
struct StoredRecordTests {
  @Test func everyPropertyIsAField() {
    expectAllFields(Conversation.self)
    expectAllFields(Post.Facts.self)
    expectAllFields(Metrics.self)
    expectAllFields(Removal.self)
    expectAllFields(Withholding.self)
    expectAllFields(ArchiveObservation.self)
    expectAllFields(Media.self)
    expectAllFields(MediaSize.self)
    expectAllFields(MediaCaptions.self)
    expectAllFields(MediaVariant.self)
    expectAllFields(CustomEmoji.self)
    expectAllFields(Poll.self)
    expectAllFields(PollOption.self)
    expectAllFields(LinkCard.self)
    expectAllFields(Author.self)
    expectAllFields(Profile.self)
    expectAllFields(Tombstone.self)
    expectAllFields(Provenance.self)
    expectAllFields(Coverage.self)
  }

  private func expectAllFields<Value: StoredRecord>(_ type: Value.Type) {
    var lister = FieldLister<Value>()
    Value.visit(&lister)
    let properties = Mirror(reflecting: Value.blank(on: .x)).children.compactMap(\.label)
    #expect(!properties.isEmpty)
    #expect(Set(properties).subtracting(lister.properties) == [], "\(type)")
    // Members that are read in the order of the list are found in one pass, and members that are written in
    // it need no sorting.
    #expect(lister.names == Set(lister.names).sorted(), "\(type)")
  }
}

private struct FieldLister<Root>: RecordVisitor {
  var names: [String] = []
  var properties: Set<String> = []

  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) { add(name, path) }

  mutating func text<Value: StoredText>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) { add(name, path) }

  mutating func entities<Value: StoredText>(_ name: StaticString, of path: WritableKeyPath<Root, Value>) {
    add(name, path)
  }

  private mutating func add(_ name: StaticString, _ path: AnyKeyPath) {
    names.append("\(name)")
    // `\Facts.title`
    properties.insert("\(path)".split(separator: ".").last.map(String.init) ?? "")
  }
}
