import Foundation
import SitePreview
import Synchronization
import TestSupport
import Testing

/// Changes of files are reported, with the system's notifications and without.
@Suite(.serialized) struct FileWatcherTests {
  private static let patience = Duration.seconds(3600)

  /// The changes reported by a watcher that started before them.
  private func reportedChanges(
    _ folder: TemporaryFolder, polls: Bool, _ roots: [WatchedPath]? = nil,
    change: @escaping @Sendable () throws -> Void
  ) throws -> [String] {
    var watcher = FileWatcher(polls: polls, looksBeside: false) { Issue.record("\($0)") }
    watcher.watch(
      roots ?? [
        WatchedPath(folder.path + "/site.yml"), WatchedPath(folder.path + "/threads", unopened: ["media"]),
      ])
    let failure = Mutex<(any Error)?>(nil)
    let isChanged = DispatchSemaphore(value: 0)
    Thread {
      do { try change() } catch { failure.withLock { $0 = error } }
      isChanged.signal()
    }.start()
    let end = ContinuousClock.now + Self.patience
    let changes = watcher.changes { ContinuousClock.now < end }
    isChanged.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    return changes.map { String($0.dropFirst(folder.path.count + 1)) }
  }

  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "site.yml")
    try folder.write("a", to: "threads/x/ada/1.json")
    try folder.write("a", to: "threads/x/ada/2.json")
    try folder.write("a", to: "threads/media/a.png")
    return folder
  }

  @Test(arguments: [false, true])
  func reportsAWrittenFile(polls: Bool) throws {
    let folder = try site()
    #expect(
      try reportedChanges(folder, polls: polls) { try folder.save("bb", to: "threads/x/ada/1.json") } == [
        "threads/x/ada/1.json"
      ])
    #expect(
      try reportedChanges(folder, polls: polls) { try folder.write("bb", to: "site.yml") } == ["site.yml"])
  }

  /// Many editors write a temporary file beside the file and then replace the file. The temporary file is not
  /// reported.
  @Test(arguments: [false, true])
  func reportsAReplacedFile(polls: Bool) throws {
    let folder = try site()
    let changes = try reportedChanges(folder, polls: polls) {
      for name in ["site.yml~", ".site.yml.swp", "4913"] { try folder.write("x", to: name) }
      try folder.write("c", to: ".site.yml.tmp")
      guard rename(folder.path + "/.site.yml.tmp", folder.path + "/site.yml") == 0 else {
        throw POSIXError(.EIO)
      }
    }
    #expect(changes == ["site.yml"])
  }

  @Test(arguments: [false, true])
  func reportsANewFolderWithItsFiles(polls: Bool) throws {
    let folder = try site()
    let changes = try reportedChanges(folder, polls: polls) {
      for name in ["1", "2"] { try folder.write("a", to: "threads/bluesky/wale/\(name).json") }
    }
    // The files that were created in time; the others belong to the next change.
    #expect(!changes.isEmpty)
    #expect(Set(changes).isSubset(of: ["threads/bluesky/wale/1.json", "threads/bluesky/wale/2.json"]))
    let later = try reportedChanges(folder, polls: polls) {
      try folder.write("bb", to: "threads/bluesky/wale/1.json")
    }
    #expect(later == ["threads/bluesky/wale/1.json"])
  }

  /// One watcher all the time: it also follows a new folder, and a folder recreated under its old name.
  @Test(arguments: [false, true])
  func followsNewFolders(polls: Bool) throws {
    let folder = try site()
    var watcher = FileWatcher(polls: polls, looksBeside: false) { Issue.record("\($0)") }
    watcher.watch([WatchedPath(folder.path + "/threads"), WatchedPath(folder.path + "/templates")])
    func next() -> [String] {
      let end = ContinuousClock.now + Self.patience
      return watcher.changes { ContinuousClock.now < end }.map { String($0.dropFirst(folder.path.count + 1)) }
    }
    for _ in 0..<2 {
      try folder.save("a", to: "templates/strings/en.yml")
      #expect(next() == ["templates/strings/en.yml"])
      try folder.save("bb", to: "templates/strings/en.yml")
      #expect(next() == ["templates/strings/en.yml"])
      try folder.removeAtOnce("templates")
      #expect(next() == ["templates/strings/en.yml"])
    }
  }

  /// Only the folders with events are compared. After random changes of files and folders, the reports are still exactly the differences.
  @Test func reportsAllDifferencesAfterRandomChanges() throws {
    let seed = SeededRandom.seedOfRun
    var random = SeededRandom(seed: seed)
    let folder = try site()
    var watcher = FileWatcher(polls: false, looksBeside: false, quiet: 1) { Issue.record("\($0)") }
    // The folder of the templates does not exist yet.
    watcher.watch([
      WatchedPath(folder.path + "/site.yml"), WatchedPath(folder.path + "/threads"),
      WatchedPath(folder.path + "/own/share/templates"),
    ])
    let folders = [
      "threads", "threads/x", "threads/x/ada", "threads/x/bo", "threads/y", "own/share/templates",
    ]
    var steps: [String] = []
    func tree() throws -> [String: Data] {
      try folder.tree("").filter { $0.key == "site.yml" || $0.key.contains("/") }
    }
    for number in 0..<TestDepth.cases(fast: 40, deep: 1000) {
      let before = try tree()
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = folders.randomElement(using: &random) ?? ""
        let other = folders.randomElement(using: &random) ?? ""
        let file = "\(place)/\(Int.random(in: 1...3, using: &random)).json"
        let text = String(repeating: "b", count: number + 2)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try folder.write(text, to: "site.yml")
        case 1, 2: try folder.write(text, to: file)
        case 3: try folder.save(text, to: file)
        case 4 where folder.exists(file): try folder.remove(file)
        case 5 where folder.exists(place): try folder.removeAtOnce(place)
        case 6 where folder.exists(place) && !folder.exists(other) && !other.hasPrefix(place):
          try folder.write("a", to: other + "/9.json")
          try folder.removeAtOnce(other)
          try FileManager.default.moveItem(
            atPath: "\(folder.path)/\(place)", toPath: "\(folder.path)/\(other)")
          steps.append("move \(place) to \(other)")
        default: continue
        }
        steps.append("change \(file)")
      }
      let after = try tree()
      let expected = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      guard !expected.isEmpty else { continue }
      var found: Set<String> = []
      let end = ContinuousClock.now + .seconds(60)
      while !found.isSuperset(of: expected), ContinuousClock.now < end {
        found.formUnion(
          watcher.changes { ContinuousClock.now < end }.map { String($0.dropFirst(folder.path.count + 1)) })
      }
      #expect(found.isSuperset(of: expected), "seed \(seed), round \(number): \(steps.suffix(6))")
    }
  }

  @Test(arguments: [false, true])
  func reportsDeletedFiles(polls: Bool) throws {
    let folder = try site()
    #expect(
      try reportedChanges(folder, polls: polls) { try folder.remove("threads/x/ada/1.json") } == [
        "threads/x/ada/1.json"
      ])
    #expect(
      try reportedChanges(folder, polls: polls) { try folder.removeAtOnce("threads/x") } == [
        "threads/x/ada/2.json"
      ]
    )
    #expect(try reportedChanges(folder, polls: polls) { try folder.remove("site.yml") } == ["site.yml"])
  }

  @Test(arguments: [false, true])
  func reportsAddedAndDeletedMedia(polls: Bool) throws {
    let folder = try site()
    #expect(
      try reportedChanges(folder, polls: polls) { try folder.write("b", to: "threads/media/b.png") } == [
        "threads/media"
      ])
    #expect(
      try reportedChanges(folder, polls: polls) { try folder.remove("threads/media/a.png") } == [
        "threads/media"
      ])
  }

  /// A save in many small steps is one change. A file is written each time the watcher waits for more.
  @Test func changesDuringAPauseBelongToTheSameChange() throws {
    let folder = try site()
    let number = Mutex(0)
    var watcher = FileWatcher(
      polls: true,
      sleep: { _ in
        let next = number.withLock { number in
          number += 1
          return number
        }
        guard next <= 10 else { return }
        do {
          try folder.write("bb", to: "threads/x/ada/new\(next).json")
        } catch { Issue.record(error) }
      }
    ) { Issue.record("\($0)") }
    watcher.watch([WatchedPath(folder.path + "/threads")])
    let end = ContinuousClock.now + Self.patience
    #expect(watcher.changes { ContinuousClock.now < end }.count == 10)
  }

  /// The system reports each small step of a save. A busy machine may split the save into a few changes, but
  /// not into its steps.
  @Test func reportsInQuickSuccessionAreFewChanges() throws {
    let folder = try site()
    var watcher = FileWatcher(polls: false, looksBeside: false) { Issue.record("\($0)") }
    watcher.watch([WatchedPath(folder.path + "/threads", unopened: ["media"])])
    for number in 0..<10 {
      try folder.write(String(repeating: "b", count: number + 2), to: "threads/x/ada/\(number).json")
    }
    let end = ContinuousClock.now + Self.patience
    var reports: [[String]] = []
    while Set(reports.joined()).count < 10, ContinuousClock.now < end {
      reports.append(watcher.changes { ContinuousClock.now < end })
    }
    #expect(Set(reports.joined()).count == 10)
    #expect(reports.count <= 5, "\(reports)")
  }

  @Test func watchingAgainKeepsChanges() throws {
    let folder = try site()
    var watcher = FileWatcher(polls: true) { Issue.record("\($0)") }
    let roots = [WatchedPath(folder.path + "/threads"), WatchedPath(folder.path + "/site.yml")]
    watcher.watch(roots)
    try folder.write("bb", to: "site.yml")
    watcher.watch(roots)
    let end = ContinuousClock.now + Self.patience
    #expect(watcher.changes { ContinuousClock.now < end } == [folder.path + "/site.yml"])
    // After every third wait, all files have been compared.
    var waits = 0
    #expect(
      watcher.changes {
        waits += 1
        return waits <= 3
      }.isEmpty)
  }
}
