import Basics
import Foundation
import Testing

@Suite struct SecretRedactionTests {
  private static let secret = "p+ss/w\"rd-Tok=123"

  @Test func masksEveryForm() {
    let redaction = SecretRedaction([Self.secret])
    let encoded = PercentEncoding.encode(Self.secret)
    let forms = [
      Self.secret, encoded, encoded.lowercased().replacing("tok", with: "Tok"), "p+ss/w\\\"rd-Tok=123",
      "p+ss\\/w\\\"rd-Tok=123",
    ]
    for form in forms { #expect(redaction("a \(form) z") == "a (redacted) z", "\(form)") }
  }

  /// For every offset of the credential within a group of three bytes, and any user name.
  @Test(arguments: ["", "a", "ad", "ada", "ada:", "x-access-token:"], ["", "!", "!!"])
  func masksBase64AsAWhole(before: String, after: String) {
    let redaction = SecretRedaction([Self.secret])
    let word = Data((before + Self.secret + after).utf8).base64EncodedString()
    #expect(redaction("Basic \(word), z") == "Basic (redacted), z")
    let forURLs = word.replacing("+", with: "-").replacing("/", with: "_")
    #expect(redaction("\"\(forURLs)\"") == "\"(redacted)\"")
  }

  @Test func masksThePlainFormOfAPercentEncodedCredential() {
    #expect(SecretRedaction(["AAAA%2BBBBB%3D"])("AAAA+BBBB=") == "(redacted)")
  }

  @Test func leavesOtherTextUnchanged() {
    let redaction = SecretRedaction([Self.secret, "short"])
    for text in ["", "short", "p+ss/w", "words, \u{1F600} and é", "cGFzc3dvcmQ="] {
      #expect(redaction(text) == text)
    }
    #expect(SecretRedaction().isEmpty && SecretRedaction(["short"]).isEmpty)
  }
}
