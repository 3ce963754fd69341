import Files
import Foundation
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  @Test func replacesAFileWhole() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write(Array("one".utf8), to: folder.path + "/a.json")
    try AtomicFile.write(Array("two".utf8), to: folder.path + "/a.json")
    #expect(try folder.tree() == ["a.json": Data("two".utf8)])
  }

  @Test func aFailureLeavesNothingBehind() throws {
    let folder = try TemporaryFolder()
    // A folder that is not empty cannot be replaced by a file.
    try folder.write("x", to: "a.json/file")
    #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder.path + "/a.json") }
    #expect(try Array(folder.tree().keys) == ["a.json/file"])
  }

  @Test func makesTheFoldersOnItsWay() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write([1], to: folder.path + "/one/two/a.json")
    #expect(try Array(folder.tree().keys) == ["one/two/a.json"])
  }
}

@Suite struct InsertingTests {
  @Test(arguments: [0, 5, 10])
  func whatStandsBehindMovesOn(offset: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("some words", to: "a.txt")
    try FileSystem.insert(Array("(more)".utf8), at: offset, of: folder.path + "/a.txt")
    let expected = "some words".prefix(offset) + "(more)" + "some words".dropFirst(offset)
    #expect(try folder.text("a.txt") == String(expected))
    try FileSystem.insert([], at: offset, of: folder.path + "/a.txt")
    #expect(try folder.text("a.txt") == String(expected))
  }

  @Test func nothingIsWrittenWhereThereIsNoSuchPlace() throws {
    let folder = try TemporaryFolder()
    try folder.write("some words", to: "a.txt")
    for offset in [-1, 11] {
      #expect(throws: FileError.self) { try FileSystem.insert([1], at: offset, of: folder.path + "/a.txt") }
    }
    #expect(throws: FileError.self) { try FileSystem.insert([1], at: 0, of: folder.path + "/b.txt") }
    #expect(try folder.tree() == ["a.txt": Data("some words".utf8)])
  }
}

@Suite struct FileBytesTests {
  @Test func readsAllOfAFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("some words", to: "a.txt")
    #expect(try FileBytes.read(folder.path + "/a.txt", atMost: 10) == Array("some words".utf8))
    let error = #expect(throws: FileError.self) { try FileBytes.read(folder.path + "/a.txt", atMost: 9) }
    #expect(
      error?.description.hasSuffix("could not read the file: its 10 bytes are more than the 9 it may have.")
        == true)
  }

  @Test func refusesWhatIsNoFile() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileError.self) { try FileBytes.read(folder.path) }
    #expect(throws: FileError.self) { try FileBytes.read(folder.path + "/none") }
  }

  @Test func followsALinkOnlyWhereItMay() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/a.txt")
    #expect(try FileBytes.read(folder.path + "/link") == Array("x".utf8))
    #expect(throws: FileError.self) { try FileBytes.read(folder.path + "/link", followsLink: false) }
  }
}

@Suite struct FileSystemTests {
  @Test func saysWhatStandsAtAPath() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "sub/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/sub")
    #expect(FileSystem.kind(of: folder.path + "/sub") == .folder)
    #expect(FileSystem.kind(of: folder.path + "/sub/a.txt") == .file)
    #expect(FileSystem.kind(of: folder.path + "/link") == .link)
    #expect(FileSystem.kind(of: folder.path + "/none") == .nothing)
    #expect(FileSystem.isFolder(folder.path + "/link"))
    #expect(try FileSystem.names(in: folder.path) == ["link", "sub"])
  }

  @Test func aNewFileIsNeverAnOldOne() throws {
    let folder = try TemporaryFolder()
    #expect(try FileSystem.writeNew([1], to: folder.path + "/a/b/c.bin"))
    #expect(try !FileSystem.writeNew([2], to: folder.path + "/a/b/c.bin"))
    #expect(try FileBytes.read(folder.path + "/a/b/c.bin") == [1])
  }

  @Test func removingALinkLeavesWhatItLeadsTo() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "kept/a.txt")
    try folder.write("x", to: "gone/b.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/gone/link", withDestinationPath: folder.path + "/kept")
    try FileSystem.remove(folder.path + "/gone")
    try FileSystem.remove(folder.path + "/never")
    #expect(try Array(folder.tree().keys) == ["kept/a.txt"])
  }

  @Test func replacingExchangesFolders() throws {
    let folder = try TemporaryFolder()
    try folder.write("new", to: "new/a.txt")
    try folder.write("old", to: "site/a.txt")
    try FileSystem.replace(folder.path + "/site", with: folder.path + "/new", aside: folder.path + "/aside")
    #expect(try FileBytes.read(folder.path + "/site/a.txt") == Array("new".utf8))
  }
}
