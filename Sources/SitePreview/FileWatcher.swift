import Basics
import Foundation

/// What is watched.
package struct WatchedPath: Hashable, Sendable {
  package let path: String
  /// Names of folders directly below, in which only coming and going counts, as their files never change under their names.
  var unopened: Set<String> = []

  /// A file, or a folder with all that is below it; it need not be there yet.
  package init(_ path: String, unopened: Set<String> = []) {
    self.path = path
    self.unopened = unopened
  }
}

/// Notices changes of files by looking at them: their sizes, and when they were written.
///
/// Where the system tells that something happened (inotify), it looks then, and now and then beside, as some file systems keep silent
/// (network drives, folders of another system). Elsewhere it looks again and again: at what is small often, at what is large so seldom
/// that looking costs some percent of a core.
package struct FileWatcher: ~Copyable {
  /// What is looked at together, at a pace of its own.
  private struct Place {
    let root: WatchedPath
    var seen = Seen()
    var due = ContinuousClock.now
  }

  private struct Seen: Equatable {
    var files: [String: FileSignature] = [:]
    var folders: [String: FileSignature] = [:]
  }

  private let clock = ContinuousClock()
  private var places: [Place] = []
  private var events: FolderEvents?
  /// The folders that the system tells of, as they were when it was asked to.
  private var watched: [String: FileSignature] = [:]
  private let looksBeside: Bool
  private let report: (String) -> Void

  /// The shortest time between two looks, and how long nothing may change before a change is told.
  private static let pace = Duration.milliseconds(120)
  private static let quiet = 50
  /// The longest that it waits for quiet.
  private static let patience = Duration.seconds(2)

  /// - Parameters:
  ///   - polls: whether it looks again and again even where the system would tell.
  ///   - looksBeside: whether it looks now and then where the system tells: only tests of what the system tells do without.
  ///   - report: takes what the user should know of how it watches.
  package init(polls: Bool, looksBeside: Bool = true, report: @escaping (String) -> Void) {
    self.looksBeside = looksBeside
    self.report = report
    guard !polls else { return }
    do throws(FileError) {
      events = try FolderEvents()
    } catch {
      #if os(Linux)
        report("\(error.reason): changes are looked for again and again instead of being told by the system")
      #endif
    }
  }

  /// Watches these from now on. What was watched before keeps what was seen of it, so that no change falls in between.
  package mutating func watch(_ roots: [WatchedPath]) {
    let old = places
    places = roots.map { root in old.first { $0.root == root } ?? Place(root: root) }
    for index in places.indices where !old.contains(where: { $0.root == places[index].root }) {
      _ = look(at: index)
    }
    followFolders()
  }

  /// Waits for changes, and then until there are no more for a moment.
  ///
  /// - Parameter goesOn: asked several times a second.
  /// - Returns: the paths of files that came, went or changed, sorted; none when it was not to go on.
  package mutating func changes(while goesOn: () -> Bool) -> [String] {
    while goesOn() {
      let isTold = wait()
      var changed: Set<String> = []
      if isTold {
        // What is being written is looked at when it is written.
        let start = clock.now
        while events?.wait(milliseconds: Self.quiet) == true, clock.now - start < Self.patience {}
      }
      let now = clock.now
      for index in places.indices where isTold || places[index].due <= now {
        changed.formUnion(look(at: index))
      }
      changed.formUnion(lookIntoNewFolders())
      guard !changed.isEmpty else { continue }
      changed.formUnion(settle(changed))
      return changed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return []
  }

  /// - Returns: whether the system said that something happened.
  private mutating func wait() -> Bool {
    let next = places.map(\.due).min() ?? clock.now.advanced(by: Self.pace)
    let left = max(.milliseconds(1), min(next - clock.now, .milliseconds(250)))
    let milliseconds = max(1, Int(left / .milliseconds(1)))
    if events != nil { return events?.wait(milliseconds: milliseconds) ?? false }
    Self.sleep(milliseconds)
    return false
  }

  /// Looks again at where something changed, until nothing does.
  private mutating func settle(_ first: Set<String>) -> Set<String> {
    let start = clock.now
    var all = first
    // Where the system tells, there was quiet before we looked.
    while events == nil, clock.now - start < Self.patience {
      Self.sleep(Self.quiet)
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

  private static func sleep(_ milliseconds: Int) {
    Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
  }

  // MARK: Looking

  /// Looks at a place; the paths of files that are not as they were.
  private mutating func look(at index: Int) -> Set<String> {
    let start = clock.now
    let root = places[index].root
    var seen = Seen()
    if let signature = FileSystem.signature(of: root.path) {
      if FileSystem.isFolder(root.path) {
        Self.look(into: root.path, signature, unopened: root.unopened, &seen)
      } else {
        seen.files[root.path] = signature
      }
    }
    let old = places[index].seen
    places[index].seen = seen
    let cost = clock.now - start
    // Two percent of a core; a tenth of that where the system tells.
    let pause = max(Self.pace, cost * 50)
    places[index].due = clock.now + (events == nil ? pause : looksBeside ? pause * 10 : .seconds(3600))
    guard seen.files != old.files else { return [] }
    var changed = Set(seen.files.filter { old.files[$0.key] != $0.value }.keys)
    changed.formUnion(old.files.keys.filter { seen.files[$0] == nil })
    return changed
  }

  private static func look(
    into folder: String, _ signature: FileSignature, unopened: Set<String> = [], _ seen: inout Seen
  ) {
    seen.folders[folder] = signature
    // One that cannot be listed has nothing to tell; a build says what is wrong with it.
    for entry in (try? FileSystem.entries(of: folder)) ?? [] where !isPassing(entry.name) {
      let path = folder + "/" + entry.name
      if entry.kind != .folder {
        seen.files[path] = entry.signature
      } else if unopened.contains(entry.name) {
        seen.folders[path] = entry.signature
        seen.files[path] = entry.signature
      } else {
        look(into: path, entry.signature, &seen)
      }
    }
  }

  /// What editors and the program itself write beside a file for a moment: no build reads a hidden file.
  private static func isPassing(_ name: String) -> Bool {
    PathText.isHidden(name) || name.hasByteSuffix("~") || name.hasByteSuffix(".swp") || name == "4913"
  }

  // MARK: Being told

  /// Folders that came are followed, and looked into again afterwards: what was written into them before is told by nobody.
  private mutating func lookIntoNewFolders() -> Set<String> {
    var changed: Set<String> = []
    // One that is written to all the time is not worth waiting for.
    for _ in 0..<5 where followFolders() {
      for index in places.indices { changed.formUnion(look(at: index)) }
    }
    return changed
  }

  /// Asks the system to tell of every folder that is watched, and of those that hold what is watched.
  ///
  /// - Returns: whether there were any that it did not tell of yet.
  @discardableResult
  private mutating func followFolders() -> Bool {
    guard events != nil else { return false }
    var wanted: [String: FileSignature] = [:]
    for place in places {
      wanted.merge(place.seen.folders) { first, _ in first }
      // Of a file, and of a folder that is not there yet, the one above tells.
      if let above = Self.existingFolder(above: place.root.path) { wanted[above.path] = above.signature }
    }
    // A folder that was made anew may have the number of the old one, so that any change of it counts.
    let new = wanted.filter { watched[$0.key] != $0.value }
    do throws(FileError) {
      for folder in new.keys { try events?.watch(folder) }
      watched = wanted
    } catch {
      report("\(error.reason): changes are looked for again and again instead of being told by the system")
      events = nil
      for index in places.indices { places[index].due = clock.now }
    }
    return !new.isEmpty
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
