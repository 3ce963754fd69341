import Basics
package import InterfaceText
package import SiteConfig
package import SiteOutput
import ThreadMarkdown
package import ThreadModel
import ThreadStore

/// The accounts that have threads in a store: their latest profiles, whatever their earlier names, and the paths of their pages.
///
/// An account is identified by its network's permanent id. Its handle may change, and another account may then use the handle.
package struct AuthorDirectory: Sendable {
  package struct Account: Sendable {
    /// All known data of the account, each field with its latest value.
    package var author: Author
    /// The current and former handles in lower case.
    fileprivate var handles: Set<String> = []
    /// The store's folders that contain the account's threads, with the last file in each.
    fileprivate var folders: [String: StoredFile] = [:]
    /// The account's page on the site.
    package fileprivate(set) var page: SitePath = .top
    /// The earlier places of the page, under other handles.
    package fileprivate(set) var formerPages: [SitePath] = []
    /// For a person with several accounts, the account whose page is used; `nil` for that account itself.
    package fileprivate(set) var owner: AuthorID?
    /// The other accounts that share the page.
    package fileprivate(set) var others: [AuthorID] = []
    /// Whether the site's owner asks search engines not to list the account.
    package fileprivate(set) var isHiddenFromSearch = false
  }

  private var accounts: [AuthorID: Account] = [:]
  /// The accounts that currently have a handle, by platform and handle.
  private var holders: [String: Set<AuthorID>] = [:]
  /// The accounts that have or had a handle, by platform and handle.
  private var pastHolders: [String: Set<AuthorID>] = [:]

  package subscript(id: AuthorID) -> Account? { accounts[id] }

  /// Returns the store's folders that contain an account's threads; a folder may also contain other accounts' threads.
  package func folders(of id: AuthorID) -> [String] { accounts[id]?.folders.keys.sorted() ?? [] }

  /// All accounts, sorted by page.
  package var all: [Account] { accounts.values.sorted { $0.page < $1.page } }

  /// Returns the accounts that a reference may mean: the accounts that currently have the handle or, if there are no such accounts, those
  /// that had it.
  package func accounts(of reference: AccountReference) -> Set<AuthorID> {
    if let id = reference.authorID { return [id] }
    let key = Self.key(reference.name, reference.platform)
    return holders[key] ?? pastHolders[key] ?? []
  }

  /// Returns a conversation with the latest names of its people. People whose accounts were closed, or whom the site leaves out, get a
  /// neutral name. Network warnings without a text get one in the site's language.
  package func updated(_ conversation: Conversation, in localization: Localization) -> Conversation {
    var result = conversation
    let nobody = localization.text(.somebody)
    for (position, post) in conversation.posts.enumerated() {
      let text = post.text.calling(nobody: nobody)
      if text != post.text { result.posts[position].text = text }
      if !post.warnings.isEmpty { result.posts[position].stateWarnings(in: localization) }
    }
    for (position, post) in conversation.related.enumerated() {
      let text = post.text.calling(nobody: nobody)
      if text != post.text { result.related[position].text = text }
      if !post.warnings.isEmpty { result.related[position].stateWarnings(in: localization) }
    }
    for (position, author) in conversation.authors.enumerated() {
      if author.isGone {
        result.authors[position].name = author.neutralName(in: localization)
        continue
      }
      guard let now = accounts[author.id]?.author,
        now.handle != author.handle || now.name != author.name || now.url != author.url
          || now.emoji != author.emoji
      else { continue }
      result.authors[position].handle = now.handle
      result.authors[position].name = now.name
      result.authors[position].emoji = now.emoji
      result.authors[position].url = now.url
    }
    return result
  }

  /// Returns a digest of the data of people that a thread's page shows, and of their pages' paths. If it is unchanged, the thread's page is
  /// reused.
  package func digest(of people: [AuthorID]) -> UInt64 {
    var bytes = ByteWriter()
    for id in people {
      guard let account = accounts[id] else {
        bytes.write(0)
        continue
      }
      bytes.write(1)
      bytes.write(account.author.handle)
      bytes.write(account.author.name)
      bytes.write(account.author.url)
      bytes.write(account.author.emoji)
      bytes.write(account.page)
      bytes.write(account.isHiddenFromSearch)
    }
    return ContentHash.value(ofMany: bytes.bytes)
  }

  /// A digest of the data that determine where posts and authors are found: all accounts, their current and former handles, their folders
  /// and their pages.
  package var placeDigest: UInt64 {
    var bytes = ByteWriter(capacity: accounts.count * 96)
    for (id, account) in accounts.sorted(by: { $0.key < $1.key }) {
      bytes.write(id)
      bytes.write(account.author.handle)
      bytes.write(account.handles.sorted())
      bytes.write(account.folders.keys.sorted())
      bytes.write(account.page)
      bytes.write(account.owner)
      bytes.write(account.others)
    }
    return ContentHash.value(ofMany: bytes.bytes)
  }

  /// Returns the account whose page shows an account's threads.
  package func owner(of id: AuthorID) -> AuthorID { accounts[id]?.owner ?? id }

  /// Joins the accounts of each person on one page, that of the person's first account with threads here, and applies the person's other
  /// settings.
  package mutating func join(_ people: [SiteConfig.Person]) {
    var joined: Set<AuthorID> = []
    for person in people {
      var members: [AuthorID] = []
      for reference in person.accounts {
        for id in accounts(of: reference).sorted() where accounts[id] != nil && joined.insert(id).inserted {
          members.append(id)
        }
      }
      if person.noindex {
        for id in members { accounts[id]?.isHiddenFromSearch = true }
      }
      guard let owner = members.first, let page = accounts[owner]?.page else { continue }
      for other in members.dropFirst() {
        guard let account = accounts[other] else { continue }
        accounts[owner]?.formerPages += [account.page] + account.formerPages
        accounts[owner]?.others.append(other)
        accounts[other]?.owner = owner
        accounts[other]?.page = page
        accounts[other]?.formerPages = []
      }
    }
  }

  private static func key(_ handle: String, _ platform: Platform) -> String {
    "\(platform.rawValue)/\(handle.lowercased())"
  }
}

extension Author {
  /// Returns the name shown for a person whose account was closed.
  package func neutralName(in localization: Localization) -> String {
    localization.text(removal?.reason == .suspended ? .authorSuspended : .authorDeleted)
  }
}

extension AuthorDirectory {
  /// - Parameter threads: the authors of the store's threads.
  package init(_ threads: ThreadAuthors) {
    let seen = threads.seen.map { author in
      var account = Account(author: author.record ?? Author(id: author.id))
      account.handles = Set([author.record?.handle?.lowercased()].compactMap(\.self))
      return account
    }
    for account in seen {
      accounts[account.author.id] = accounts[account.author.id].map { $0.joined(account) } ?? account
    }
    for (file, position) in threads.ofFiles {
      let id = threads.seen[position].id
      accounts[id]?.handles.insert(file.folder.lowercased())
      if let other = accounts[id]?.folders[file.folder], other > file { continue }
      accounts[id]?.folders[file.folder] = file
    }
    for (id, account) in accounts {
      if let handle = account.author.handle { holders[Self.key(handle, id.platform), default: []].insert(id) }
      for handle in account.handles { pastHolders[Self.key(handle, id.platform), default: []].insert(id) }
    }
    givePages()
  }

  /// Assigns every account a unique page: its handle's folder, if that contains its threads, otherwise the folder with the last of them. A
  /// folder that contains threads of several accounts belongs to the account that was seen last.
  private mutating func givePages() {
    // Names are compared by bytes, because disks distinguish names that look alike.
    var owners: [SitePath: AuthorID] = [:]
    for (id, account) in accounts {
      for folder in account.folders.keys {
        let key = SitePath(Self.path(id, folder))
        guard let other = owners[key], let rival = accounts[other] else {
          owners[key] = id
          continue
        }
        if rival.isSeenBefore(account) { owners[key] = id }
      }
    }
    for (id, account) in accounts {
      let own = account.folders.filter { owners[SitePath(Self.path(id, $0.key))] == id }
      let handle = account.author.handle.map { ThreadStore.folderName($0).lowercased() }
      let last = own.max { one, other in
        let (left, right) = (one.value.name, other.value.name)
        if left.utf8.count != right.utf8.count { return left.utf8.count < right.utf8.count }
        return (left, one.key) < (right, other.key)
      }
      let folder = own.keys.filter { $0.lowercased() == handle }.min() ?? last?.key
      let page = folder.map { Self.path(id, $0) } ?? Self.freePath(id, account, owners)
      accounts[id]?.page = SitePath(page)
      accounts[id]?.formerPages = own.keys.map { SitePath(Self.path(id, $0)) }.filter { $0.text != page }
        .sorted()
    }
  }

  /// Returns a path with the account's id, for an account whose folders all belong to others.
  private static func freePath(_ id: AuthorID, _ account: Account, _ taken: [SitePath: AuthorID]) -> String {
    let handle = account.author.handle ?? ""
    let path = path(id, ThreadStore.folderName("\(handle)-\(id.text)"))
    // A name with a slash gets a digest of the whole name.
    return taken[SitePath(path)] == nil
      ? path : self.path(id, ThreadStore.folderName("\(handle)/\(id)"))
  }

  private static func path(_ id: AuthorID, _ folder: String) -> String {
    "\(id.platform.rawValue)/\(folder)/"
  }
}

extension AuthorDirectory.Account {
  /// Whether the account has or had a handle, given in lower case, with or without the server's name.
  package func isCalled(_ handle: String) -> Bool {
    handles.contains(handle) || handles.contains { $0.prefix(upToBytes: "@") == handle[...] }
  }

  fileprivate func joined(_ other: Self) -> Self {
    var result = self
    result.author = author.merged(with: other.author)
    result.handles.formUnion(other.handles)
    result.folders.merge(other.folders) { max($0, $1) }
    return result
  }

  /// Compares the times when the accounts were last seen, and then their ids.
  fileprivate func isSeenBefore(_ other: Self) -> Bool {
    let (one, another) = (author.seenAt, other.author.seenAt)
    return one == another ? other.author.id < author.id : one < another
  }
}
