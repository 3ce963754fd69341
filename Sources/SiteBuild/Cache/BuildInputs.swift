import Basics
import Foundation
import MediaMirror
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadStore

/// All inputs of a build, by the signatures of their files, which are taken before any of the files is read.
struct BuildInputs: Sendable {
  /// The store's folder.
  private let folder: String
  /// Signatures by path below the store's folder.
  private var store: [String: FileSignature] = [:]
  /// Whether `store` has the name of every file of the store, and none of them is a link.
  private let isWhole: Bool
  /// Templates, themes and localized words.
  private var files: [String: FileSignature] = [:]
  /// The folders of themes; each path ends in a slash.
  private let themes: [String]
  /// The owner's own files, which are not sources of threads.
  private let own: [String: FileSignature]
  /// Inputs that are not files: options, and previously read data.
  private let facts: [String]
  /// The lines of site.yml, on which only messages depend.
  private let lines: [Int]
  /// A digest of the settings on which every thread depends or may depend.
  private let settings: [String]
  /// A digest of the records of URLs that threads keep.
  let addresses: [UInt8]
  /// When the signatures were taken.
  private let moment: Int64
  /// The moment after which every change alters the signatures.
  private let settles: Int64
  /// Whether every later change alters the signatures.
  var areSettled: Bool { settles < moment }

  /// - Parameters:
  ///   - known: the inputs of an earlier build.
  ///   - changed: the paths of all files that may have changed since; `nil` if they are unknown.
  init(
    of site: SiteFolder, _ installation: Installation?, _ options: SiteBuild.Options,
    after known: BuildInputs? = nil, changed: [String]? = nil
  ) {
    let moment = FileSignature.now
    self.moment = moment
    settings =
      [installation?.share ?? "", Self.program.map { "\($0)" } ?? ""] + Self.settingsOfThreads(of: site)
    facts =
      settings + [
        // The time passes without a change to a file.
        "\(site.config.threads.indices.filter { site.config.threads[$0].isWaiting })",
        site.output, site.store, "\(options.includesDrafts)", "\(options.keepsGoing)",
        "\(options.namesStyleSheetsByContent)",
        site.decoded.map {
          Hexadecimal.digits(SHA256.hash(Self.read($0, without: Self.keysOfOthers(of: site))))
        }
          ?? "",
      ]
    lines = site.decoded.map(Self.lines) ?? []
    folder = site.store
    if let known, let changed, let store = known.store(changing: changed), known.folder == folder {
      self.store = store
      isWhole = known.isWhole && !changed.contains { FileSystem.kind(of: $0) == .link }
    } else {
      let tree = FileTree(site.store)
      isWhole = tree.problem == nil && !tree.hasLinks
      for (path, signature) in tree.files where Self.isInput(path) { store[path] = signature }
    }
    addresses = Self.addresses(of: site, options)
    own = Dictionary(
      [site.staticFolder, site.pagesFolder].flatMap { folder in
        FileTree(folder).files.map { (folder + "/" + $0.path, $0.signature) }
      }
    ) { first, _ in first }
    let tops = [site.path] + (installation.map { [$0.share] } ?? [])
    themes = tops.map { $0 + "/themes/" }
    for top in tops.flatMap({ [$0 + "/templates", $0 + "/themes"] }) {
      for (path, signature) in FileTree(top).files { files[top + "/" + path] = signature }
    }
    settles = [files, store, own].reduce(0) { $1.values.reduce($0) { max($0, $1.settles) } }
  }

  /// Returns the signatures of the store's files after changes.
  ///
  /// - Returns: `nil` if all files must be looked at, because a folder has changed.
  private func store(changing paths: [String]) -> [String: FileSignature]? {
    var store = store
    for path in paths where path == folder || path.hasBytePrefix(folder + "/") {
      let inner = String(path.dropFirst(folder.count + 1))
      switch FileSystem.kind(of: path) {
      case .folder: return nil
      case .nothing:
        // The path of a folder of media stands for all files in it.
        guard store[inner] != nil else { return nil }
        store[inner] = nil
      default: store[inner] = Self.isInput(inner) ? FileSystem.signature(of: path) : nil
      }
    }
    return store
  }

  /// Whether a build may read a file of the store. No build reads hidden files and the copies that editors make.
  private static func isInput(_ path: String) -> Bool {
    guard path != Permalinks.fileName, !path.hasByteSuffix("~") else { return false }
    var isStart = true
    for byte in path.utf8 {
      if isStart, byte == UInt8(ascii: ".") { return false }
      isStart = byte == UInt8(ascii: "/")
    }
    return true
  }

  /// Returns the settings on which every thread depends or may depend. They are the same on all machines with the same site.
  static func settingsOfThreads(of site: SiteFolder) -> [String] {
    let others = keysOfOthers(of: site)
    let parts = (site.decoded?.parts ?? []).filter {
      !keysOfThreads.contains($0.key) && !others.contains($0.key)
    }
    return [
      site.config.baseURL?.description ?? "", site.config.publish?.atproto?.account ?? "",
      site.config.scaleImages == .auto && ScaledImages.isInstalled() ? "copies of photos" : "",
      // Every thread may contain one of the links.
      site.config.archivedLinks ? digest(ofDeadLinksIn: site.store) : "",
    ] + parts.map { "\($0.key) \(withoutEnd($0.text))" }
  }

  /// Takes the signatures. If a file was changed a moment ago, takes them again as soon as every further change alters them. Otherwise it
  /// would later be impossible to determine whether the site is up to date.
  static func settled(
    of site: SiteFolder, _ installation: Installation?, _ options: SiteBuild.Options
  ) -> BuildInputs {
    var inputs = BuildInputs(of: site, installation, options)
    // There is no wait for a file that changes all the time, or whose time is in the future.
    for _ in 0..<2 where !inputs.areSettled {
      let wait = inputs.settles - inputs.moment + 1_000_000
      guard wait <= FileSignature.longestGrain + 1_000_000 else { break }
      usleep(UInt32(wait / 1000))
      inputs = BuildInputs(of: site, installation, options)
    }
    return inputs
  }

  /// Returns the text of a key and its value without blank lines and comments at its end, which change when another key is added. Texts of
  /// several lines (`|`, `>`) stay complete, because their blank lines may belong to the value. A line with a quotation mark also stays, because
  /// it may be the last one of a quoted text.
  private static func withoutEnd(_ text: [UInt8]) -> String {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if !text.contains(UInt8(ascii: "|")), !text.contains(UInt8(ascii: ">")) {
      while let last = lines.last,
        last.drop(while: { $0 == UInt8(ascii: " ") }).first ?? UInt8(ascii: "#") == UInt8(ascii: "#"),
        !last.contains(UInt8(ascii: "\"")), !last.contains(UInt8(ascii: "'"))
      {
        lines.removeLast()
      }
    }
    return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  /// The keys of site.yml about single threads or pages. Their contents are compared separately for each thread.
  private static let keysOfThreads: Set<String> = [
    "threads", "sources", "include", "collections", "lead", "menu",
  ]

  /// Returns the keys of site.yml that no build reads. Pages contain only the account of `publish.atproto`.
  private static func keysOfOthers(of site: SiteFolder) -> Set<String> {
    Set(["publish", "check", "fetch", "hooks"] + site.networks.addresses.sections.map { $0.key })
  }

  /// Returns the bytes of site.yml that determine the files of the site.
  private static func read(_ decoded: DecodedSiteConfig, without others: Set<String>) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(decoded.parts.filter { !others.contains($0.key) }) { writer, part in
      writer.write(part.key)
      writer.write(part.text)
    }
    return writer.bytes
  }

  /// Returns the number of lines of site.yml and of each of its parts. If none of them changes, all messages have the same line numbers.
  private static func lines(_ decoded: DecodedSiteConfig) -> [Int] {
    func lines(_ bytes: [UInt8]) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }
    return [lines(decoded.bytes)] + decoded.parts.map { lines($0.text) }
  }

  /// The signature of the running program. A different build of the program may produce a different site.
  private static let program = Bundle.main.executablePath.flatMap {
    FileSystem.signature(of: FileSystem.withoutLinks($0))
  }

  /// Returns a digest of the records of URLs that threads keep. An unreadable record is reported when the build reads it.
  static func addresses(of site: SiteFolder, _ options: SiteBuild.Options) -> [UInt8] {
    digest(
      ofPublished: (try? FileBytes.read("\(site.store)/\(Permalinks.fileName)")) ?? [],
      own: options.permalinksFile.flatMap { try? FileBytes.read($0) } ?? [])
  }

  /// Returns a digest of the contents of the store's record of URLs and of the record that is read in addition to it.
  ///
  /// They are compared by content, because publishing a site changes the store's record but not what a build makes of it.
  static func digest(ofPublished published: [UInt8], own: [UInt8] = []) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(published)
    writer.write(own)
    return SHA256.hash(writer.bytes)
  }

  /// Returns a digest of the record of dead links. An unreadable record is reported when the build reads it.
  private static func digest(ofDeadLinksIn store: String) -> String {
    Hexadecimal.digits(SHA256.hash((try? FileBytes.read("\(store)/\(DeadLinks.fileName)")) ?? []))
  }

  /// The threads of the store, sorted by path; `nil` if the store must be listed again, because parts of it may be missing.
  var threads: [StoredFile]? { isWhole ? ThreadStore.threads(among: store.keys) : nil }

  /// Returns the signature of a thread's file; `nil` if the file is missing, or if a change might not alter the signature.
  func signature(of file: StoredFile) -> FileSignature? { settled(store[file.path]) }

  /// Returns the signature of a file of the store's media folder. For a scaled copy made by the build, returns the signature of the
  /// original photo.
  func signature(ofMedia name: String) -> FileSignature? {
    let folder = ThreadStore.mediaFolderName
    return settled(
      store["\(folder)/\(name)"] ?? ScaledImageName(name).flatMap { store["\(folder)/\($0.photo)"] })
  }

  private func settled(_ signature: FileSignature?) -> FileSignature? {
    signature.flatMap { $0.isSettled(at: moment) ? $0 : nil }
  }

  /// Returns the digests of all inputs; `nil` if an input might have changed undetected.
  ///
  /// - Parameters:
  ///   - folder: the cache's folder. A copied folder has a different number.
  ///   - isThread: whether the previous build read this file of the store, specified by its stem, as a thread.
  func digests(in folder: String, isThread: (_ stem: String) -> Bool) -> InputDigests? {
    guard areSettled else { return nil }
    func digest(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
      var writer = ByteWriter()
      write(&writer)
      return SHA256.hash(writer.bytes)
    }
    var (threads, others) = (SignatureDigest(), SignatureDigest())
    for (path, signature) in store {
      if let stem = path.without(byteSuffix: ".json"), isThread(String(stem)) {
        threads.add(path, signature)
      } else {
        others.add(path, signature)
      }
    }
    return InputDigests(
      facts: digest { writer in
        writer.write(Int(truncatingIfNeeded: FileSystem.signature(of: folder)?.inode ?? 0))
        writer.write(facts)
      },
      lines: digest { $0.write(lines) { $0.write($1) } },
      styleSheets: digest { $0.write(signatures: files.filter { isStyleSheet($0.key) }) },
      files: digest { writer in
        writer.write(signatures: files.filter { !isStyleSheet($0.key) })
        writer.write(signatures: own)
      },
      threads: threads.value, store: others.value)
  }

  /// Whether the store has the file of a thread.
  func has(thread stem: String) -> Bool { store[stem + ".json"] != nil }

  /// Returns the signature of a thread's file; `nil` if the file is missing, or if a change might not alter the signature.
  func signature(ofThread stem: String) -> FileSignature? { settled(store[stem + ".json"]) }

  /// Returns a digest of everything, apart from the threads, that determines where the site shows posts and authors; empty if it might have
  /// changed undetected.
  ///
  /// - Parameter people: ``AuthorDirectory/placeDigest``.
  func places(of people: UInt64) -> [UInt8] {
    guard areSettled else { return [] }
    var writer = ByteWriter()
    writer.write(facts)
    writer.write(signatures: files.filter { !isOfPages($0.key) })
    writer.write(addresses)
    writer.write(store[SourceState.fileName])
    writer.write(people)
    return SHA256.hash(writer.bytes)
  }

  /// - Parameters:
  ///   - theme: the theme, whose layouts determine which parts of threads are rendered.
  ///   - hasCollections: whether the site has collections, to which its pages link.
  ///   - menu: the menu of all pages.
  ///   - definesMenu: whether the owner has defined the menu, which then stays unchanged on a site with one author.
  ///   - image: the preview image of pages without a picture.
  func environment(
    of theme: Theme, hasCollections: Bool, menu: [MenuEntry], definesMenu: Bool, image: PreviewImage?
  ) -> BuildEnvironment {
    var writer = ByteWriter()
    writer.write(settings)
    for isShown in [theme.showsAvatars, theme.showsCardImages, theme.showsEmoji, theme.searchScript != nil] {
      writer.write(isShown)
    }
    writer.write(signatures: files.filter { !isOfPages($0.key) })
    let threads = SHA256.hash(writer.bytes)
    writer.write(hasCollections)
    writer.write(menu) { writer, entry in
      writer.write("\(entry.target)")
      writer.write(entry.label)
    }
    writer.write(definesMenu)
    // The key `icon` is a setting, but not the files beside it.
    for icon in [theme.icons.vector, theme.icons.bitmap?.path, theme.icons.legacy] {
      writer.write(icon?.text)
    }
    writer.write(theme.icons.bitmap?.size)
    // The image's name and description are part of the settings.
    writer.write(image?.size)
    writer.write(signatures: files.filter { !isStyleSheet($0.key) })
    return BuildEnvironment(
      threads: threads, pages: SHA256.hash(writer.bytes), sheets: theme.sheetPaths)
  }

  /// Whether a file is a style sheet of a theme, or a part of one. Pages contain only the published names.
  private func isStyleSheet(_ path: String) -> Bool {
    path.hasByteSuffix(".css") && folder(inThemeOf: path) == "static"
  }

  /// Whether a file belongs to the part of a theme that pages use but threads do not: `themes/NAME/layouts/…`.
  private func isOfPages(_ path: String) -> Bool {
    folder(inThemeOf: path).map { ["layouts", "partials", "static"].contains($0) } ?? false
  }

  /// Returns the name of the folder that contains a file of a theme, directly in the folder of the theme; `nil` for other files.
  private func folder(inThemeOf path: String) -> String? {
    guard let top = themes.first(where: { path.hasBytePrefix($0) }) else { return nil }
    let inner = path[path.utf8.index(path.startIndex, offsetBy: top.utf8.count)...]
    let parts = inner.split(atBytes: "/", maxSplits: 2)
    return parts.count == 3 ? String(parts[1]) : nil
  }
}

/// A digest of files with their signatures in any order: two sums of different hashes of each file.
private struct SignatureDigest {
  private var sums: (UInt64, UInt64) = (0, 0)

  mutating func add(_ path: String, _ signature: FileSignature) {
    var writer = ByteWriter(capacity: 128)
    writer.write(path)
    writer.write(signature)
    sums.0 &+= ContentHash.value(ofMany: writer.bytes)
    sums.1 &+= ContentHash.value(ofMany: writer.bytes, seed: 1)
  }

  var value: [UInt8] {
    var writer = ByteWriter()
    writer.write(sums.0)
    writer.write(sums.1)
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func write(signatures: [String: FileSignature]) {
    let sorted = signatures.sorted { $0.key.precedesInBytes($1.key) }
    write(sorted) { writer, file in
      writer.write(file.key)
      writer.write(file.value)
    }
  }
}
