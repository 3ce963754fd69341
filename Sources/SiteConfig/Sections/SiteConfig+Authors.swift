extension SiteConfig {
  /// Somebody who has several accounts, on one network or on several: their threads are on one author's page.
  package struct Person: Sendable, Equatable {
    /// The first of them that has a thread in the store has the page. At least two in a decoded file, none twice.
    package var accounts: [AccountReference] = []

    package init(accounts: [AccountReference] = []) { self.accounts = accounts }
  }
}

extension SiteConfig.Person: ConfigSection {
  static let defaults = SiteConfig.Person()

  static let fields: [ConfigField<SiteConfig.Person>] = [
    ConfigField("accounts", \.accounts, .accounts, isRequired: true)
  ]
}

extension ValueReader where Value == [SiteConfig.Person] {
  /// The list of people; nobody's account is another's.
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
  /// The accounts of one person, whose places are remembered for the stage that looks for them.
  fileprivate static var accounts: ValueReader {
    let list = ValueReader.list(
      of: ValueReader<AccountReference> { value, problems in
        problems.remember(value)
        return ValueReader<AccountReference>.account.read(value, &problems)
      })
    return ValueReader { value, problems in
      guard let accounts = list.read(value, &problems) else { return nil }
      if Set(accounts.map(\.normalized)).count < accounts.count {
        problems.error("one of these accounts is listed twice; keep one of them", at: value)
      } else if case .list(let nodes) = value.node.content, nodes.count < 2 {
        problems.error("expected at least two accounts, which are one person's", at: value)
      }
      return accounts
    }
  }
}

extension AccountReference {
  /// The same for every spelling of an account's address, as far as addresses tell.
  fileprivate var normalized: AccountReference {
    AccountReference(
      platform: platform, handle: handle.lowercased(), instance: instance, authorID: authorID)
  }
}
