extension SiteConfig {
  /// The owner of a site, named in feeds and metadata.
  package struct Author: Sendable, Equatable {
    /// Never empty in a decoded file.
    package var name: String
    /// The URL of the owner's website.
    package var url: WebURL?
    /// The owner's profiles on other sites. A Mastodon profile shows its link to this site as verified if this site links back.
    package var profiles: [WebURL]

    package init(name: String, url: WebURL? = nil, profiles: [WebURL] = []) {
      self.name = name
      self.url = url
      self.profiles = profiles
    }
  }
}

extension SiteConfig.Author: ConfigSection {
  package static let defaults = SiteConfig.Author(name: "")

  package static let fields: [ConfigField<SiteConfig.Author>] = [
    ConfigField("name", \.name, .line, isRequired: true),
    ConfigField("url", \.url, .webURL),
    ConfigField("profiles", \.profiles, .list(of: .webURL)),
  ]
}

extension SiteConfig {
  /// A person with one or more accounts on any networks. One author's page shows the threads of all accounts.
  package struct Person: Sendable, Equatable {
    /// The person's accounts. The page belongs to the first account with a thread in the store. In a decoded file no account occurs twice, and there
    /// are at least two unless `noindex` is set.
    package var accounts: [AccountReference] = []
    /// Whether the person's page and threads are excluded from search engines.
    package var noindex = false

    package init(accounts: [AccountReference] = []) { self.accounts = accounts }
  }
}

extension SiteConfig.Person: ConfigSection {
  package static let defaults = SiteConfig.Person()

  package static let fields: [ConfigField<SiteConfig.Person>] = [
    ConfigField("accounts", \.accounts, .accounts, isRequired: true),
    ConfigField("noindex", \.noindex, .flag),
  ]

  /// Reports an entry without effect: fewer than two accounts, and no other settings.
  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    guard !noindex, case .mapping(let entries) = value.node.content,
      let entry = entries.first(where: { $0.key == "accounts" }), case .list(let nodes) = entry.value.content,
      nodes.count < 2
    else { return }
    problems.error("expected at least two accounts, which are one person's", at: value.entry(entry))
  }
}

extension ValueReader where Value == [SiteConfig.Person] {
  /// A list of people; no account may belong to two people.
  static var people: ValueReader {
    let list = ValueReader.list(of: ValueReader<SiteConfig.Person>.section)
    return ValueReader(nestedKeys: list.nestedKeys) { value, problems in
      guard let people = list.read(value, &problems) else { return nil }
      guard case .list(let nodes) = value.node.content, nodes.count == people.count else { return people }
      var seen: Set<AccountReference> = []
      for (index, person) in people.enumerated() {
        for account in Set(person.accounts.map(\.normalized)) where !seen.insert(account).inserted {
          problems.error(
            "the account \(account) belongs to an earlier entry of authors; put all accounts of a person into one entry",
            at: value.element(nodes[index], at: index))
        }
      }
      return people
    }
  }
}

extension ValueReader where Value == [AccountReference] {
  /// The accounts of one person. Their positions are remembered for the stage that looks them up.
  fileprivate static var accounts: ValueReader {
    let list = ValueReader.list(of: .remembered(.account))
    return ValueReader { value, problems in
      guard let accounts = list.read(value, &problems) else { return nil }
      if Set(accounts.map(\.normalized)).count < accounts.count {
        problems.error("one of these accounts is listed twice; keep one of them", at: value)
      } else if case .list(let nodes) = value.node.content, nodes.isEmpty {
        problems.error("expected at least one account", at: value)
      }
      return accounts
    }
  }
}

extension ValueReader where Value == [AccountReference] {
  /// Accounts by their URLs, names or ids.
  static var leftOut: ValueReader {
    .list(
      of: .remembered(
        .addressed("an account") { (text, addresses) throws(InvalidValue) in
          try addresses.account(named: text)
        }))
  }
}

extension AccountReference {
  /// The account with its handle in lower case, so that different spellings are equal.
  fileprivate var normalized: AccountReference {
    AccountReference(
      platform: platform, handle: handle.lowercased(), instance: instance, authorID: authorID)
  }
}
