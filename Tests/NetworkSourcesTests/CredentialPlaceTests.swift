import Foundation
import HTTPTransport
import NetworkSources
import TestSupport
import Testing

/// The places of credentials, and the errors about them.
@Suite struct CredentialPlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String, mode: Int = 0o600) throws -> String {
    try folder.write(text, to: "token")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path + "/token")
    return folder.path + "/token"
  }

  private func problem(_ place: CredentialPlace, _ environment: [String: String] = [:]) throws
    -> CredentialPlace.Problem
  {
    try #require(throws: CredentialPlace.Problem.self) { _ = try place.read(environment) }
  }

  @Test func prefersTheVariableToTheFile() throws {
    let place = CredentialPlace(variable: "TOKEN", file: try file("from-file"))
    #expect(try place.read(["TOKEN": "from-variable"])?.secret.revealed == "from-variable")
    #expect(try place.read(["OTHER": "from-variable"])?.secret.revealed == "from-file")
  }

  /// CI services pass secrets without a value as empty variables.
  @Test(arguments: ["", " ", "\n"]) func emptyVariableIsNotSet(value: String) throws {
    let place = CredentialPlace(variable: "TOKEN", file: try file("from-file"))
    #expect(try place.read(["TOKEN": value])?.secret.revealed == "from-file")
    #expect(try CredentialPlace(variable: "TOKEN").read(["TOKEN": value]) == nil)
  }

  @Test func withoutVariableAndFileThereIsNoCredential() throws {
    #expect(try CredentialPlace(variable: nil).read(["TOKEN": "a"]) == nil)
    #expect(try CredentialPlace(variable: "TOKEN").read([:]) == nil)
  }

  @Test(arguments: ["sesame", "sesame\n", "\u{FEFF}sesame\r\n", "  sesame\t"])
  func removesSpaceAndByteOrderMarks(text: String) throws {
    #expect(try CredentialPlace(variable: nil, file: file(text)).read([:])?.secret.revealed == "sesame")
    #expect(try CredentialPlace(variable: "T").read(["T": text])?.secret.revealed == "sesame")
  }

  @Test func reportsFilesThatAllUsersCanRead() throws {
    let open = try file("sesame", mode: 0o644)
    #expect(try CredentialPlace(variable: nil, file: open).read([:])?.openFile == open)
    let closed = try file("sesame", mode: 0o600)
    #expect(try CredentialPlace(variable: nil, file: closed).read([:])?.openFile == nil)
  }

  @Test(arguments: [
    ("sesame open", false), ("Bearer sesame", true), ("sesame\nopen", false), ("sesäme", false),
    ("sesame\u{7}", false),
  ])
  func rejectsSeveralWordsWithoutPrintingThem(text: String, isLabelled: Bool) throws {
    let path = try file(text)
    for (found, place) in [
      (try problem(CredentialPlace(variable: "T"), ["T": text]), "the environment variable T"),
      (try problem(CredentialPlace(variable: nil, file: path)), path),
    ] {
      guard case .notOneWord(_, isLabelled) = found else {
        Issue.record("\(found)")
        continue
      }
      #expect(found.description.contains(place) && !found.description.contains("ses"))
    }
  }

  @Test func reportsEmptyMissingAndLongFiles() throws {
    let empty = try file(" \n")
    let place = CredentialPlace(variable: nil, file: empty)
    #expect(try problem(place).description == "the file \(empty) is empty")
    let missing = CredentialPlace(variable: nil, file: folder.path + "/missing")
    #expect(try problem(missing).description.contains("/missing"))
    let long = try file(String(repeating: "a", count: 20_000))
    let description = try problem(CredentialPlace(variable: nil, file: long)).description
    #expect(description.contains(long) && !description.contains("aaaa"))
  }
}
