import NostrNetwork
import SiteConfig
import Testing

/// The section `nostr` of site.yml.
@Suite struct NostrSectionTests {
  private func section(_ yaml: String) throws -> NostrSection {
    try SiteConfig.decode(yaml: yaml, file: "site.yml", addresses: AddressBook([NostrAddresses()])).config
      .networks[NostrSection.self]
  }

  @Test func asksPublicRelaysByDefault() throws {
    #expect(
      try section("title: Tides").relays.map(\.description) == [
        "wss://relay.damus.io", "wss://nos.lol", "wss://relay.primal.net",
      ])
  }

  @Test func readsRelays() throws {
    let relays = try section(
      "nostr:\n  relays: [\"WSS://Relay.Example/\", \"wss://relay.example:8443/inbox/\", \"ws://127.0.0.1:7777\"]\n"
    ).relays
    #expect(
      relays.map(\.description) == [
        "wss://relay.example", "wss://relay.example:8443/inbox", "ws://127.0.0.1:7777",
      ])
  }

  @Test(arguments: [
    (
      "relay.example",
      "site.yml:2:12: error: nostr.relays[0]: \"relay.example\" is not a URL that begins with wss://"
    ),
    ("https://relay.example", "did you mean \"wss://relay.example\"?"),
    ("ws://relay.example", "must begin with wss:// (ws:// only for this machine)"),
    ("wss://ada:secret@relay.example", "must not contain a user name or password"),
    ("wss://relay.example/?a=b", "has no query or fragment"),
    ("\"wss://\"", "\"wss://\" has no host"),
  ])
  func rejectsInvalidRelays(_ url: String, _ message: String) throws {
    let error = #expect(throws: SiteConfigError.self) { try section("nostr:\n  relays: [\(url)]\n") }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [0, 11]) func rejectsTooFewAndTooManyRelays(_ count: Int) throws {
    let urls = (0..<count).map { "wss://relay\($0).example" }.joined(separator: ", ")
    let error = #expect(throws: SiteConfigError.self) { try section("nostr:\n  relays: [\(urls)]\n") }
    #expect(
      error?.description.contains(
        "site.yml:2:11: error: nostr.relays: expected 1 to 10 entries, found \(count)")
        == true, "\(error?.description ?? "")")
  }
}
