import Basics
import NostrNetwork
import NostrSigner
import TestSupport
import Testing
import ThreadModel

/// Only events that their authors signed are read.
@Suite struct EventTests {
  @Test(arguments: ["granary.jsonl", "thread.jsonl", "kinds.jsonl"])
  func readsEventsOfAnotherImplementation(file: String) throws {
    #expect(try Fixture.events(file).count == Fixture.lines(file).count)
  }

  /// The reasons for the lines of forged.jsonl; `nil` for the genuine events.
  @Test func rejectsForgedEvents() throws {
    let expected: [NostrEventError?] = [
      nil, .wrongID, .wrongSignature, .wrongSignature, .wrongID, .wrongSignature, .invalid("sig"), .wrongID,
      .wrongID, .wrongID, nil, nil,
    ]
    let objects = try Fixture.objects("forged.jsonl")
    #expect(objects.count == expected.count)
    for (line, (object, expected)) in zip(objects, expected).enumerated() {
      var found: NostrEventError?
      do throws(NostrEventError) { _ = try NostrEvent(object) } catch { found = error }
      #expect(found == expected, "line \(line + 1)")
    }
  }

  @Test func rejectsMembersOfWrongTypes() throws {
    let object = Signer().object("Tides")
    _ = try NostrEvent(object)
    let wrong: [JSONValue] = [
      nil, true, -1, .number("1.5"), 1_000_000_000_000_000, "", "text", "0x", [], [["a", 1]], ["a"], [:],
      .string(String(repeating: "0", count: 64)), .string(String(repeating: "f", count: 128)),
      .string(String(repeating: "\u{0660}", count: 32)),
    ]
    for member in object.keys {
      for value in wrong {
        if member == "tags" && value == [] || member == "content" && value == "Tides" { continue }
        var changed = object
        changed[member] = value
        #expect(throws: NostrEventError.self, "\(member): \(value)") { try NostrEvent(changed) }
      }
      var missing = object
      missing[member] = nil
      #expect(throws: NostrEventError.self, "\(member)") { try NostrEvent(missing) }
    }
  }

  @Test func timesEndWithTheYear9999() throws {
    _ = try Signer().event("x", at: NostrEvent.Limits.latest)
    for time in [NostrEvent.Limits.latest + 1, .max, -1] {
      #expect(throws: NostrEventError.invalid("created_at")) { try Signer().event("x", at: time) }
    }
  }

  @Test func largeEventsAreRejected() {
    let long = String(repeating: "x", count: NostrEvent.Limits.bytes + 1)
    #expect(throws: NostrEventError.tooLarge) { try Signer().event(long) }
    let many = [[String]](repeating: ["t", "x"], count: NostrEvent.Limits.tags + 1)
    #expect(throws: NostrEventError.tooLarge) { try Signer().event("", tags: many) }
    let parts = [[String](repeating: "x", count: NostrEvent.Limits.tagParts + 1)]
    #expect(throws: NostrEventError.tooLarge) { try Signer().event("", tags: parts) }
  }

  @Test func tagsMayBeEmpty() throws {
    let event = try Signer().event("x", tags: [[], [""], ["e"], ["q", ""], ["imeta"], ["emoji", "a"]])
    #expect(event.tags.count == 6)
    #expect(try Fixture.threads([event]).map(\.posts.count) == [1])
  }
}
