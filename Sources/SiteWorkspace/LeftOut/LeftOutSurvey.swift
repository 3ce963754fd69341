import Basics
package import ThreadModel
import ThreadStore

/// Finds in a store the other names of the people whom site.yml leaves out.
///
/// The names are searched for in the store, and in the files moved out of it on this machine (`.threadsite/left-out/` and
/// `.threadsite/removed/`). They are also recorded in the first of these folders, because a name that was only in a fetch or an import is
/// not in any other file.
package struct LeftOutSurvey: Sendable {
  /// The folder of the previous contents and of the names, below the site's folder.
  package static let folder = ".threadsite/left-out"

  private let store: ThreadStore
  private let kept: ThreadStore
  /// All places of names.
  private let stores: [ThreadStore]
  private let accounts: [LeftOutAccounts.Account]

  package init(store: String, site: String, accounts: [LeftOutAccounts.Account]) {
    self.store = ThreadStore(folder: store)
    kept = ThreadStore(folder: "\(site)/\(Self.folder)")
    stores = [self.store, kept, ThreadStore(folder: "\(site)/\(RemovedThreads.folder)")]
    self.accounts = accounts
  }

  // MARK: The result of the last run

  private var path: String { "\(kept.folder)/.names.json" }

  /// A digest of the accounts and of all files that may contain their names. If it is the same as after the last run, the files need not be
  /// read again.
  private var state: String {
    var writer = ByteWriter()
    writer.write(accounts.map { "\($0.platform) \($0.name ?? "") \($0.id?.description ?? "")" }.sorted())
    let files = FileTree(store.folder).files.filter {
      $0.path.hasByteSuffix(".json")
        && ($0.path.utf8.contains(UInt8(ascii: "/")) || $0.path == WebMentions.fileName)
    }
    writer.write(files.sorted { $0.path < $1.path }) { writer, file in
      writer.write(file.path)
      writer.write(file.signature)
    }
    return ContentHash.of(writer.bytes)
  }

  private var remembered: JSONValue? {
    // An unreadable file counts as missing.
    (try? FileBytes.read(path)).flatMap { try? JSONValue(parsing: $0) }
  }

  /// Whether nothing has changed since the store was cleaned.
  package var isClean: Bool { remembered?["state"]?.string == state }

  /// Whether the last cleaning of the store was interrupted.
  package var isUnfinished: Bool { remembered?["state"]?.string == "" }

  /// Records the names, and whether the store is clean.
  ///
  /// - Parameter isClean: whether the store contains no data of the accounts; `false` at the beginning of a cleaning.
  package func remember(_ names: Set<LeftOutAccounts.KnownName>, isClean: Bool) throws(PipelineError) {
    let list = names.sorted().map { name -> JSONValue in
      ["claim": .bool(name.isClaim), "handle": .string(name.handle), "id": .string(name.id.description)]
    }
    let document: JSONObject = ["names": .array(list), "state": .string(isClean ? state : "")]
    do {
      try AtomicFile.write(JSONWriter.text(of: .object(document)).bytes, to: path)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  private var rememberedNames: [LeftOutAccounts.KnownName] {
    (remembered?["names"]?.array ?? []).compactMap { name in
      guard let id = name["id"]?.string.flatMap(AuthorID.init(description:)),
        let handle = name["handle"]?.string
      else { return nil }
      return LeftOutAccounts.KnownName(id: id, handle: handle, isClaim: name["claim"] == true)
    }
  }

  // MARK: Names

  /// Returns the names known from the store and the last runs, of these accounts and perhaps of others.
  package func names() -> Set<LeftOutAccounts.KnownName> {
    guard !accounts.isEmpty else { return [] }
    var names = Set(rememberedNames)
    if isClean { return names }
    // A name leads to an id, and the id to other names.
    let given = Set(accounts.compactMap(\.name))
    var ids = Set(accounts.compactMap(\.id?.value))
    names.formUnion(told(beside: Set(given.map { String($0.prefix { $0 != "@" }) }).union(ids)))
    let found = Set(names.filter { given.contains($0.handle) && !$0.isClaim }.map(\.id.value)).subtracting(
      ids)
    ids.formUnion(found)
    if !found.isEmpty { names.formUnion(told(beside: found)) }
    return names.filter { ids.contains($0.id.value) }
  }

  /// Returns the names in files that contain one of several texts.
  private func told(beside texts: Set<String>) -> Set<LeftOutAccounts.KnownName> {
    let search = ByteSearch(texts)
    var names: Set<LeftOutAccounts.KnownName> = []
    for store in stores {
      // Unreadable files and folders are reported when their pages are rendered.
      for file in (try? store.list()) ?? [] {
        guard let bytes = try? FileBytes.read(store.path(file)), search.finds(in: bytes),
          let conversation = try? store.read(file)
        else { continue }
        names.formUnion(conversation.knownNames)
        // An author's folder keeps the first handle of the author, which may now be somebody else's.
        names.insert(
          LeftOutAccounts.KnownName(id: conversation.authorID, handle: file.folder, isClaim: true))
      }
      for profile in (try? store.profiles()) ?? [] {
        names.formUnion((profile.followers + [profile.author]).compactMap(\.knownName))
      }
    }
    return names
  }
}
