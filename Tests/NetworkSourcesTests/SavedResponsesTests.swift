import Basics
import NetworkSources
import Testing
import ThreadModel

/// The forms of files with saved responses.
@Suite struct SavedResponsesTests {
  private func values(_ text: String) throws -> [JSONValue] { try SavedResponses(Array(text.utf8)).values }

  @Test(arguments: [
    (#"{"a":1}"#, 1), (#"[{"a":1},{"a":2}]"#, 2), ("{\"a\":1}\n{\"a\":2}\n", 2),
    ("[\n{\"a\":1},\n{\"a\":2}\n]", 2), ("[]", 0),
    ("", 0),
  ])
  func readsAllForms(text: String, count: Int) throws {
    #expect(try values(text).count == count)
  }

  @Test func onlyAFileWithoutValuesIsEmpty() throws {
    #expect(try SavedResponses(Array(" \n".utf8)).isEmptyFile)
    #expect(try !SavedResponses(Array("[]".utf8)).isEmptyFile)
  }

  @Test func completeLinesOfADamagedFileAreRead() throws {
    let responses = try SavedResponses(Array("{\"a\":1}\n{\"a\":".utf8))
    #expect(responses.values == [["a": 1]])
    #expect(responses.unread.map(\.line) == [2])
    #expect(throws: JSONError.self) { try SavedResponses(Array("{\"a\":".utf8)) }
  }

  @Test func recordedExchangeHasABodyAndATime() throws {
    let exchange: JSONValue = [
      "status": 200, "url": "https://a.example/", "headers": ["Date": "Wed, 15 Apr 2026 08:00:00 GMT"],
      "body": "{\"a\":1}",
    ]
    let response = try #require(SavedResponse(exchange))
    #expect(response.isExchange && response.status == 200 && response.body == ["a": 1])
    #expect(response.fetchedAt == Timestamp(iso8601: "2026-04-15T08:00:00Z"))
    #expect(SavedResponse(["body": "b", "text": "a"])?.isExchange == false)
    #expect(SavedResponse(["status": 200, "body": "<html>"])?.body == nil)
    #expect(SavedResponse([1]) == nil)
  }
}
