import Basics
import CFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  @Test func replacesAWholeFile() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write(Array("one".utf8), to: folder.path + "/a.json")
    try AtomicFile.write(Array("two".utf8), to: folder.path + "/a.json")
    #expect(try folder.tree() == ["a.json": Data("two".utf8)])
  }

  @Test func failureLeavesNoFiles() throws {
    let folder = try TemporaryFolder()
    // A file cannot replace a folder that is not empty.
    try folder.write("x", to: "a.json/file")
    #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder.path + "/a.json") }
    #expect(try Array(folder.tree().keys) == ["a.json/file"])
  }

  @Test func createsParentFolders() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write([1], to: folder.path + "/one/two/a.json")
    #expect(try Array(folder.tree().keys) == ["one/two/a.json"])
  }
}

@Suite struct SpoolFileTests {
  @Test func storesPiecesOfManyThreads() throws {
    let folder = try TemporaryFolder()
    let spool = try SpoolFile(folder.path + "/spool")
    let places = Mutex<[Int: Range<Int>]>([:])
    @Sendable func piece(_ number: Int) -> [UInt8] {
      Array(repeating: UInt8(truncatingIfNeeded: number), count: number * 7)
    }
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      do {
        let place = try spool.append(piece(number))
        places.withLock { $0[number] = place }
      } catch {
        Issue.record(error)
      }
    }
    let found = places.withLock { $0 }
    #expect(found.count == 200)
    for (number, place) in found { #expect(try spool.read(place) == piece(number)) }
  }

  @Test func doesNotOverwriteAnExistingFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("some words", to: "spool")
    #expect(throws: FileError.self) { try SpoolFile(folder.path + "/spool") }
    #expect(try folder.text("spool") == "some words")
  }

  @Test func missingPieceIsAnError() throws {
    let folder = try TemporaryFolder()
    let spool = try SpoolFile(folder.path + "/spool")
    let place = try spool.append([1, 2, 3])
    #expect(truncate(folder.path + "/spool", 2) == 0)
    #expect(throws: FileError.self) { try spool.read(place) }
  }
}

@Suite struct FileBytesTests {
  @Test func readsAWholeFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("some words", to: "a.txt")
    #expect(try FileBytes.read(folder.path + "/a.txt", atMost: 10) == Array("some words".utf8))
    let error = #expect(throws: FileError.self) { try FileBytes.read(folder.path + "/a.txt", atMost: 9) }
    #expect(
      error?.description.hasSuffix("could not read the file: its 10 bytes are more than the 9 it may have.")
        == true)
  }

  @Test func rejectsFolders() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileError.self) { try FileBytes.read(folder.path) }
    #expect(throws: FileError.self) { try FileBytes.read(folder.path + "/none") }
  }

  /// A pipe without a writer, a socket and a device. The reader waits for none of them.
  @Test func rejectsSpecialFilesAtOnce() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let socket = try UnixSocket(folder.path + "/socket")
    for path in [folder.path + "/pipe", folder.path + "/socket", "/dev/null", folder.path] {
      let error = #expect(throws: FileError.self) { try FileBytes.read(path) }
      #expect(error?.kind == .notRegular, "\(path)")
      #expect(error?.description == "\(path): error: could not read the file: it is not a regular file.")
    }
    _ = socket
  }
}

/// A socket as a file in a folder.
private final class UnixSocket {
  private let descriptor: Int32

  init(_ path: String) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let size = MemoryLayout.size(ofValue: address.sun_path)
    try #require(path.utf8.count < size)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }
}

/// No function follows a link in any part of a path.
@Suite struct LinkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("secret", to: "elsewhere/deep/a.txt")
    try folder.write("x", to: "site/threads/own.txt")
    try link("elsewhere", "site/folder")
    try link("elsewhere/deep/a.txt", "site/file")
    try link("nowhere", "site/dangling")
    try link("site/circle", "site/circle")
  }

  private func link(_ target: String, _ name: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)", withDestinationPath: "\(folder.path)/\(target)")
  }

  private static let ways = [
    ("file", "file"), ("folder", "folder"), ("folder/deep", "folder"), ("folder/deep/a.txt", "folder"),
    ("folder/new", "folder"), ("dangling", "dangling"), ("dangling/x", "dangling"), ("circle", "circle"),
    ("folder//deep/./a.txt", "folder"), ("threads/../folder/deep/a.txt", "threads/../folder"),
  ]

  @Test(arguments: ways)
  func readsNothingThroughALink(way: (path: String, link: String)) throws {
    let path = "\(folder.path)/site/\(way.path)"
    #expect(FileSystem.kind(of: path) == .link)
    #expect(!FileSystem.isFolder(path))
    #expect(FileSystem.size(of: path) == nil)
    for read in [{ _ = try FileBytes.read(path) }, { _ = try FileSystem.names(in: path) }] {
      let error = #expect(throws: FileError.self) { try read() }
      #expect(error?.kind == .link && error?.path == "\(folder.path)/site/\(way.link)", "\(way)")
      #expect(error?.description.contains("replace it with the file or folder") == true)
    }
  }

  @Test(arguments: ways.filter { $0.0 != $0.1 || $0.0 != "file" })
  func writesNothingThroughALink(way: (path: String, link: String)) throws {
    let path = "\(folder.path)/site/\(way.path)"
    let before = try folder.tree("elsewhere")
    let works: [() throws -> Void] = [
      { _ = try FileSystem.writeNew([1], to: path + "/new.txt") },
      { try AtomicFile.write([1], to: path + "/new.txt") },
      { try FileSystem.makeFolders(path + "/new") },
      { try FileSystem.remove(path + "/deep/a.txt") },
      { try FileSystem.move(folder.path + "/site/threads/own.txt", to: path + "/own.txt") },
      { try FileSystem.put(folder.path + "/site/threads/own.txt", at: path + "/own.txt", below: path) },
      {
        try FileSystem.put(folder.path + "/site/threads/own.txt", at: path + "/deep/x/own.txt", below: path)
      },
      { try FileSystem.removeOne(path + "/deep/a.txt") },
      { _ = try FolderLock.take(path) },
    ]
    for (number, work) in works.enumerated() {
      let error = #expect(throws: FileError.self, "\(number)") { try work() }
      #expect(error?.kind == .link, "\(number): \(String(describing: error))")
    }
    #expect(try folder.tree("elsewhere") == before)
    #expect(folder.exists("site/threads/own.txt"))
  }

  /// A link at the end of a new path is replaced, not followed.
  @Test func fileReplacesALink() throws {
    let path = folder.path + "/site/file"
    #expect(try !FileSystem.writeNew([1], to: path))
    try AtomicFile.write([1], to: path)
    #expect(try FileBytes.read(path) == [1])
    #expect(try folder.text("elsewhere/deep/a.txt") == "secret")
  }

  @Test func resolvesLinksOnRequest() throws {
    let path = folder.path + "/site"
    #expect(FileSystem.withoutLinks(path + "/folder/deep") == folder.path + "/elsewhere/deep")
    #expect(FileSystem.withoutLinks(path + "/folder/deep/new/er/") == folder.path + "/elsewhere/deep/new/er")
    #expect(FileSystem.named(path + "/folder/deep/a.txt") == folder.path + "/elsewhere/deep/a.txt")
    #expect(FileSystem.named(path + "/./threads/own.txt") == path + "/./threads/own.txt")
    #expect(FileSystem.named("nowhere/at/all") == "nowhere/at/all")
    #expect(FileSystem.withoutLinks("/") == "/")
    #expect(FileSystem.withoutLinks("/no-such-folder-anywhere/x") == "/no-such-folder-anywhere/x")
  }

  /// The implementation for systems without a single call gives the same result for every path.
  @Test func steppingThroughThePathGivesTheSame() throws {
    let paths =
      Self.ways.map { "site/" + $0.0 }
      + [
        "", "site", "site/", "site/threads/own.txt", "site/threads/own.txt/", "site/threads/own.txt/x",
        "none",
        "none/x", "site/./threads//own.txt", String(repeating: "n", count: 300), "..", "site/threads/..",
      ]
    for path in paths + ["/", "//", "/.", "/tmp/.."] {
      let path = path.hasPrefix("/") ? path : "\(folder.path)/\(path)"
      for flags in [O_RDONLY, O_RDONLY | O_DIRECTORY, O_WRONLY | O_CREAT | O_EXCL] {
        let one = cfiles_open(path, flags, 0o600)
        let oneCode = one < 0 ? errno : 0
        if one >= 0, flags & O_CREAT != 0 { unlink(path) }
        let two = cfiles_open_stepwise(path, flags, 0o600)
        let twoCode = two < 0 ? errno : 0
        if two >= 0, flags & O_CREAT != 0 { unlink(path) }
        #expect(oneCode == twoCode, "\(path) \(flags)")
        for descriptor in [one, two] where descriptor >= 0 { close(descriptor) }
      }
    }
  }

  /// Another thread keeps replacing the folder by a link while it is read. The content behind the link is
  /// never read.
  @Test func doesNotFollowALinkThatReplacesAFolderWhileReading() throws {
    try folder.write("own", to: "site/media/deep/a.txt")
    try link("elsewhere", "site/trap")
    let path = folder.path + "/site"
    let isDone = Atomic(false)
    let thread = Thread {
      while !isDone.load(ordering: .relaxed) {
        rename(path + "/media", path + "/aside")
        rename(path + "/trap", path + "/media")
        rename(path + "/media", path + "/trap")
        rename(path + "/aside", path + "/media")
      }
    }
    thread.start()
    defer { isDone.store(true, ordering: .relaxed) }
    var counts: [String: Int] = [:]
    for _ in 0..<20_000 {
      do throws(FileError) {
        let text = String(decoding: try FileBytes.read(path + "/media/deep/a.txt"), as: UTF8.self)
        counts[text, default: 0] += 1
      } catch {
        counts["refused", default: 0] += 1
      }
    }
    #expect(counts["secret"] == nil, "\(counts)")
    #expect((counts["own"] ?? 0) + (counts["refused"] ?? 0) == 20_000)
  }
}

@Suite struct AbandonedFileTests {
  @Test func removesOnlyAbandonedTemporaryFiles() throws {
    let folder = try TemporaryFolder()
    let abandoned = [".1.json.4194304-0.tmp", ".permalinks.json.1-12.tmp"]
    let kept = [".tmp", ".a.tmp", ".1.json.12x.tmp", "1.json.1.tmp", ".gitignore", "1.json", ".1.2-0.tmp"]
    for name in abandoned + kept { try folder.write("half", to: name) }
    // Another process is writing the last one.
    let descriptor = open(folder.path + "/.1.2-0.tmp", O_RDONLY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    AtomicFile.removeAbandoned(in: folder.path)
    #expect(try Set(folder.tree().keys) == Set(kept))
    close(descriptor)
    AtomicFile.removeAbandoned(in: folder.path)
    #expect(try Set(folder.tree().keys) == Set(kept.dropLast()))
    AtomicFile.removeAbandoned(in: folder.path + "/none")
  }

  /// One thread writes while another cleans up. No written file is lost.
  @Test func cleaningUpDoesNotDisturbWriters() throws {
    let folder = try TemporaryFolder()
    let isDone = Atomic(false)
    let thread = Thread {
      while !isDone.load(ordering: .relaxed) { AtomicFile.removeAbandoned(in: folder.path) }
    }
    thread.start()
    defer { isDone.store(true, ordering: .relaxed) }
    for number in 0..<300 {
      let bytes = Array("\(number)".utf8)
      try AtomicFile.write(bytes, to: folder.path + "/a.json")
      #expect(try FileBytes.read(folder.path + "/a.json") == bytes)
    }
  }
}

@Suite struct FileSystemTests {
  @Test func returnsTheKindOfAPath() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "sub/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/sub")
    #expect(FileSystem.kind(of: folder.path + "/sub") == .folder)
    #expect(FileSystem.kind(of: folder.path + "/sub/a.txt") == .file)
    #expect(FileSystem.kind(of: folder.path + "/link") == .link)
    #expect(FileSystem.kind(of: folder.path + "/none") == .nothing)
    #expect(!FileSystem.isFolder(folder.path + "/link"))
    #expect(try FileSystem.names(in: folder.path) == ["link", "sub"])
  }

  @Test func newFileNeverReplacesAnExistingOne() throws {
    let folder = try TemporaryFolder()
    #expect(try FileSystem.writeNew([1], to: folder.path + "/a/b/c.bin"))
    #expect(try !FileSystem.writeNew([2], to: folder.path + "/a/b/c.bin"))
    #expect(try FileBytes.read(folder.path + "/a/b/c.bin") == [1])
  }

  @Test func removingALinkKeepsItsTarget() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "kept/a.txt")
    try folder.write("x", to: "gone/b.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/gone/link", withDestinationPath: folder.path + "/kept")
    try FileSystem.remove(folder.path + "/gone")
    try FileSystem.remove(folder.path + "/never")
    #expect(try Array(folder.tree().keys) == ["kept/a.txt"])
  }

  /// Two file systems, if the system has a second one.
  @Test(.enabled(if: (try? TemporaryFolder(inMemory: 1))?.path.hasPrefix("/dev/shm") == true))
  func movesAFileToAnotherFileSystem() throws {
    // The temporary folder of `make test` is in memory too.
    let folder = "/var/tmp/threadsite-test-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let other = try TemporaryFolder(inMemory: 1)
    try other.write("new", to: "a.txt")
    let target = folder + "/site/b/a.txt"
    try FileManager.default.createDirectory(
      atPath: folder + "/site/b", withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(filePath: target))
    try FileSystem.put(other.path + "/a.txt", at: target, below: folder + "/site")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/site/b") == ["a.txt"])
    #expect(try other.tree().isEmpty)
  }
}

@Suite struct FileTreeTests {
  @Test func listsAllFilesButNoneBelowLinks() throws {
    let folder = try TemporaryFolder()
    for name in ["a.txt", "b/c.txt", "b/.d/e"] { try folder.write("x", to: "tree/\(name)") }
    try folder.write("x", to: "elsewhere/f.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/tree/link", withDestinationPath: folder.path + "/elsewhere")
    let tree = try FileTree(whole: folder.path + "/tree")
    #expect(tree.files.map(\.path).sorted() == ["a.txt", "b/.d/e", "b/c.txt", "link"])
    #expect(tree.problem == nil)
  }

  @Test func missingFolderIsEmpty() throws {
    let folder = try TemporaryFolder()
    #expect(try FileTree(whole: folder.path + "/nowhere").files.isEmpty)
  }

  /// A file in place of the folder cannot be listed.
  @Test func fileInPlaceOfAFolderIsAProblem() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "tree")
    #expect(throws: FileError.self) { try FileTree(whole: folder.path + "/tree") }
  }

  @Test(.disabled(if: geteuid() == 0, "root may read every folder"))
  func namesAnUnreadableFolder() throws {
    let folder = try TemporaryFolder()
    for name in ["a.txt", "closed/b.txt"] { try folder.write("x", to: "tree/\(name)") }
    let closed = folder.path + "/tree/closed"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed) }
    let tree = FileTree(folder.path + "/tree")
    #expect(tree.files.map(\.path) == ["a.txt"] && tree.problem?.path == closed)
    let error = #expect(throws: FileError.self) { try FileTree(whole: folder.path + "/tree") }
    #expect(error?.path == closed && error?.kind == .forbidden)
  }
}
