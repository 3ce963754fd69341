import Basics
import Foundation

/// A file or folder to watch.
package struct WatchedPath: Hashable, Sendable {
  package let path: String
  /// The names of folders directly in this folder in which only added and removed files count, because the content under a file name never
  /// changes there.
  var unopened: Set<String> = []

  /// Creates a path of a file, or of a folder with everything in it; it need not exist yet.
  package init(_ path: String, unopened: Set<String> = []) {
    self.path = path
    self.unopened = unopened
  }
}

/// Detects changes of files by comparing their sizes and modification times.
///
/// If the system reports changes (inotify), the files of the reported folders are compared, and additionally all files from time to time,
/// because some file systems report nothing (network drives, folders of another system). Without reports, files are compared repeatedly: small folders often,
/// large ones so rarely that it takes only a few percent of a core.
package struct FileWatcher: ~Copyable {
  /// A path whose files are compared together, with its own schedule.
  private struct Place {
    let root: WatchedPath
    var seen = Seen()
    var due = ContinuousClock.now
  }

  /// The state of a path when it was last compared.
  private struct Seen {
    /// The signature of the path itself, if it is a file.
    var file: FileSignature?
    /// The folders, by path.
    var folders: [String: Folder] = [:]
  }

  private struct Folder {
    let signature: FileSignature
    /// Whether only added and removed files count.
    var isUnopened = false
    /// The files directly in the folder, by name.
    var files: [String: FileSignature] = [:]
    /// The inode numbers of its subfolders, by name.
    var subfolders: [String: UInt64] = [:]
  }

  private let clock = ContinuousClock()
  private var places: [Place] = []
  private var events: FolderEvents?
  /// The folders for which the system reports changes, with their signatures when they were registered.
  private var watched: [String: FileSignature] = [:]
  private let looksBeside: Bool
  private let sleep: (_ milliseconds: Int) -> Void
  private let report: (String) -> Void

  /// The minimum interval between two comparisons.
  private static let pace = Duration.milliseconds(120)
  /// The time in milliseconds without reports of the system before changes are reported.
  private let quiet: Int
  /// The time in milliseconds without changes before changes are reported, if files are compared repeatedly. A program may write a file in
  /// pieces.
  private static let pollingQuiet = 50
  /// The maximum time to wait until there are no more changes.
  private static let patience = Duration.seconds(2)

  /// - Parameters:
  ///   - polls: whether to compare files repeatedly even if the system can report changes.
  ///   - looksBeside: whether to compare files from time to time in addition to the system's reports; `false` only in tests of these
  ///     reports.
  ///   - quiet: the time in milliseconds without reports of the system before changes are reported. By default, so long that a later change of
  ///     the same file alters its signature.
  ///   - sleep: waits between two comparisons; tests change files instead.
  ///   - report: receives messages to the user about problems with watching.
  package init(
    polls: Bool, looksBeside: Bool = true, quiet: Int = Int(FileSignature.grain / 1_000_000) + 1,
    sleep: @escaping (_ milliseconds: Int) -> Void = { Thread.sleep(forTimeInterval: Double($0) / 1000) },
    report: @escaping (String) -> Void
  ) {
    self.looksBeside = looksBeside
    self.quiet = quiet
    self.sleep = sleep
    self.report = report
    guard !polls else { return }
    do throws(FileError) {
      events = try FolderEvents()
    } catch {
      #if os(Linux)
        report("\(error.reason): checking for changes periodically instead")
      #endif
    }
  }

  /// Watches these paths from now on. Paths that were watched before keep their last state, so that no change is missed.
  package mutating func watch(_ roots: [WatchedPath]) {
    let old = places
    places = roots.map { root in old.first { $0.root == root } ?? Place(root: root) }
    for index in places.indices where !old.contains(where: { $0.root == places[index].root }) {
      _ = look(at: index)
    }
    followFolders()
  }

  /// Waits for changes, and then until there are no more changes for a moment.
  ///
  /// - Parameter goesOn: whether to continue waiting; called several times per second.
  /// - Returns: the paths of added, removed or changed files, sorted; empty if `goesOn` returned `false`.
  package mutating func changes(while goesOn: () -> Bool) -> [String] {
    while goesOn() {
      var reported = wait()
      var changed: Set<String> = []
      if reported != .none {
        // A file that is being written is compared when it is complete.
        let start = clock.now
        while clock.now - start < Self.patience, let more = events?.wait(milliseconds: quiet), more != .none {
          reported = reported.union(more)
        }
      }
      let now = clock.now
      for index in places.indices {
        changed.formUnion(places[index].due <= now ? look(at: index) : look(at: index, reported))
      }
      changed.formUnion(lookIntoNewFolders())
      guard !changed.isEmpty else { continue }
      changed.formUnion(settle(changed))
      return changed.sorted { $0.precedesInBytes($1) }
    }
    return []
  }

  /// - Returns: the changes that the system reported.
  private mutating func wait() -> FolderEvents.Changes {
    let next = places.map(\.due).min() ?? clock.now.advanced(by: Self.pace)
    let left = max(.milliseconds(1), min(next - clock.now, .milliseconds(250)))
    let milliseconds = max(1, Int(left / .milliseconds(1)))
    if let changes = events?.wait(milliseconds: milliseconds) { return changes }
    sleep(milliseconds)
    return .none
  }

  /// Compares the changed paths again until there are no more changes.
  private mutating func settle(_ first: Set<String>) -> Set<String> {
    let start = clock.now
    var all = first
    // With reports by the system, the pause was before the comparison.
    while events == nil, clock.now - start < Self.patience {
      sleep(Self.pollingQuiet)
      var more: Set<String> = []
      for index in places.indices where all.contains(where: { isBelow($0, places[index].root.path) }) {
        more.formUnion(look(at: index))
      }
      guard !more.isEmpty else { break }
      all.formUnion(more)
    }
    return all
  }

  private func isBelow(_ path: String, _ root: String) -> Bool {
    path == root || path.hasBytePrefix(root + "/")
  }

  // MARK: Comparing

  /// Compares a path with its last state; returns the paths of changed files.
  private mutating func look(at index: Int) -> Set<String> {
    let start = clock.now
    let root = places[index].root
    var seen = Seen()
    if let signature = FileSystem.signature(of: root.path) {
      if FileSystem.isFolder(root.path) {
        Self.look(into: root.path, signature, unopened: root.unopened, &seen)
      } else {
        seen.file = signature
      }
    }
    let old = places[index].seen
    places[index].seen = seen
    let cost = clock.now - start
    // Two percent of a core; a tenth of that if the system reports changes.
    let pause = max(Self.pace, cost * 50)
    places[index].due = clock.now + (events == nil ? pause : looksBeside ? pause * 10 : .seconds(3600))
    var changed = Set(old.file == seen.file ? [] : [root.path])
    for path in Set(old.folders.keys).union(seen.folders.keys) {
      Self.compare(path, old.folders[path], seen.folders[path], &changed)
    }
    return changed
  }

  /// Adds the paths of the files that differ between two states of a folder; `nil` for a missing folder.
  private static func compare(_ path: String, _ old: Folder?, _ new: Folder?, _ changed: inout Set<String>) {
    if old?.isUnopened ?? false || new?.isUnopened ?? false {
      if old?.signature != new?.signature { changed.insert(path) }
    }
    let (before, after) = (old?.files ?? [:], new?.files ?? [:])
    for (name, signature) in after where before[name] != signature { changed.insert("\(path)/\(name)") }
    for name in before.keys where after[name] == nil { changed.insert("\(path)/\(name)") }
  }

  /// Compares the files of reported folders with their last state, and all files if a folder was added or removed.
  ///
  /// - Returns: the paths of changed files.
  private mutating func look(at index: Int, _ reported: FolderEvents.Changes) -> Set<String> {
    let folders: Set<String>
    switch reported {
    case .none: return []
    case .unknown: return look(at: index)
    case .folders(let reported): folders = reported
    }
    let root = places[index].root
    var changed: Set<String> = []
    // Events of a folder above may concern the path itself.
    if folders.contains(where: { root.path.hasBytePrefix($0 + "/") }) {
      let signature = FileSystem.signature(of: root.path)
      guard let signature, signature.inode == places[index].seen.folders[root.path]?.signature.inode
      else {
        return look(at: index)
      }
    }
    for folder in folders where isBelow(folder, root.path) {
      guard let files = look(into: folder, at: index) else { return changed.union(look(at: index)) }
      changed.formUnion(files)
    }
    return changed
  }

  /// Compares the files directly in a folder with their last state.
  ///
  /// - Returns: the paths of changed files; `nil` if all files must be compared, because the folder or one of its subfolders is new or gone.
  private mutating func look(into folder: String, at index: Int) -> Set<String>? {
    guard let old = places[index].seen.folders[folder], let signature = FileSystem.signature(of: folder),
      FileSystem.isFolder(folder), signature.inode == old.signature.inode
    else { return nil }
    let new = old.isUnopened ? Folder(signature: signature, isUnopened: true) : Self.folder(folder, signature)
    guard new.subfolders == old.subfolders else { return nil }
    places[index].seen.folders[folder] = new
    var changed: Set<String> = []
    Self.compare(folder, old, new, &changed)
    return changed
  }

  /// Adds a folder and its subfolders.
  private static func look(
    into path: String, _ signature: FileSignature, unopened: Set<String> = [], _ seen: inout Seen
  ) {
    let folder = folder(path, signature)
    seen.folders[path] = folder
    for name in folder.subfolders.keys {
      let inner = path + "/" + name
      guard let signature = FileSystem.signature(of: inner) else { continue }
      if unopened.contains(name) {
        seen.folders[inner] = Folder(signature: signature, isUnopened: true)
      } else {
        look(into: inner, signature, &seen)
      }
    }
  }

  /// Returns the files and subfolders directly in a folder.
  private static func folder(_ path: String, _ signature: FileSignature) -> Folder {
    var folder = Folder(signature: signature)
    // A folder that cannot be listed counts as empty; the build reports the problem.
    for entry in (try? FileSystem.entries(of: path)) ?? [] where !isPassing(entry.name) {
      if entry.kind == .folder {
        folder.subfolders[entry.name] = entry.signature.inode
      } else {
        folder.files[entry.name] = entry.signature
      }
    }
    return folder
  }

  /// Whether a name belongs to a temporary file of an editor or of this program. Builds do not read hidden files.
  private static func isPassing(_ name: String) -> Bool {
    PathText.isHidden(name) || name.hasByteSuffix("~") || name.hasByteSuffix(".swp") || name == "4913"
  }

  // MARK: The system's reports

  /// Registers new folders, and compares them again afterwards, because changes before the registration are not reported.
  private mutating func lookIntoNewFolders() -> Set<String> {
    var changed: Set<String> = []
    // Limited, because a folder may be continuously written to.
    for _ in 0..<5 {
      let new = followFolders()
      guard !new.isEmpty else { break }
      for index in places.indices { changed.formUnion(look(at: index, .folders(new))) }
    }
    return changed
  }

  /// Registers all watched folders, and the folders that contain watched paths, for reports by the system.
  ///
  /// - Returns: the folders that were not registered before.
  @discardableResult
  private mutating func followFolders() -> Set<String> {
    guard events != nil else { return [] }
    var wanted: [String: FileSignature] = [:]
    for place in places {
      wanted.merge(place.seen.folders.mapValues(\.signature)) { first, _ in first }
      // Changes of a file, or the creation of a folder, are reported for the folder above.
      if let above = Self.existingFolder(above: place.root.path) { wanted[above.path] = above.signature }
    }
    // A recreated folder may have the inode of the old one, so a folder is registered again after any change of its signature.
    let new = wanted.filter { watched[$0.key] != $0.value }
    do throws(FileError) {
      for folder in new.keys { try events?.watch(folder) }
      watched = wanted
    } catch {
      report("\(error.reason): checking for changes periodically instead")
      events = nil
      for index in places.indices { places[index].due = clock.now }
    }
    return Set(new.keys)
  }

  private static func existingFolder(above path: String) -> (path: String, signature: FileSignature)? {
    var path = path
    while let folder = PathText.folder(of: path), !folder.isEmpty {
      path = String(folder)
      guard FileSystem.isFolder(path), let signature = FileSystem.signature(of: path) else { continue }
      return (path, signature)
    }
    return nil
  }
}
