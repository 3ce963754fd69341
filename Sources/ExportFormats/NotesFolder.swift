package import Basics

/// A folder of notes or posts and their media, for a note-taking program or a site generator.
///
/// Users edit their notes. So all files are first written to a staging folder beside the folder, and then moved one by one. Other files in
/// the folder are left alone. If an exported file was changed since the last export, the export stops before it changes anything. A list in
/// the folder names the exported files.
package final class NotesFolder {
  /// The name of the list of exported files. Each line contains a note's digest or a media file's size in bytes, a space, and the file's
  /// name.
  package static let listName = ".threadsite-export"

  private let folder: String
  private let staging: String
  private let lock: FolderLock
  private let replacesForeign: Bool
  /// The content of the folder's list. A file has several digests or sizes if an export was interrupted.
  private let known: [String: Set<String>]
  private var new: [String: String] = [:]

  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - replacesForeign: whether to replace files that this program did not write or that were changed since.
  package init(_ folder: String, replacesForeign: Bool) throws(ExportFormatError) {
    self.folder = folder
    self.replacesForeign = replacesForeign
    let parts =
      folder.utf8.lastIndex(of: UInt8(ascii: "/"))
      .map { (folder[..<$0], folder[folder.utf8.index(after: $0)...]) } ?? ("", folder[...])
    staging = "\(parts.0)/.\(parts.1).staging"
    switch FileSystem.kind(of: folder) {
    case .nothing, .folder: break
    case .link, .file, .other:
      throw .notes("\(folder): error: this is not a folder; use another path.")
    }
    known = try Self.list(in: folder)
    let staging = staging
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging) }) else {
      throw .notes(
        "\(folder): error: another export is writing to this folder; try again when it has finished.")
    }
    self.lock = lock
    AtomicFile.removeAbandoned(in: folder)
    try withFiles { () throws(FileError) in
      for name in try FileSystem.names(in: staging) { try FileSystem.remove(staging + "/" + name) }
    }
  }

  deinit {
    // If the folder cannot be removed, the next export clears it.
    try? FileSystem.remove(staging)
  }

  package func write(_ bytes: [UInt8], to name: String) throws(ExportFormatError) {
    new[name] = Self.mark(bytes)
    try withFiles { () throws(FileError) in _ = try FileSystem.writeNew(bytes, to: "\(staging)/\(name)") }
  }

  /// Writes a text file, unless the folder contains a file of this name that no export wrote.
  package func writeUnlessForeign(_ bytes: [UInt8], to name: String) throws(ExportFormatError) {
    guard known[name] != nil || FileSystem.kind(of: "\(folder)/\(name)") == .nothing else { return }
    try write(bytes, to: name)
  }

  /// Copies a media file, whose name depends on its content. A previously exported file of the same name and size is not copied again.
  package func copy(_ file: borrowing OpenFile, to name: String) throws(ExportFormatError) {
    let mark = Self.mark(size: file.count)
    guard new.updateValue(mark, forKey: name) == nil else { return }
    if known[name] == [mark], FileSystem.size(of: "\(folder)/\(name)") == file.count { return }
    do {
      _ = try FileSystem.copy(file, to: "\(staging)/\(name)")
    } catch {
      throw .file(error)
    }
  }

  /// Moves the files into the folder, and removes earlier exported files that are no longer part of the export.
  package func finish() throws(ExportFormatError) {
    let changed = try foreign()
    guard changed.isEmpty || replacesForeign else {
      let shown = changed.prefix(5).map { "\n  \($0)" }.joined()
      let rest = changed.count > 5 ? "\n  and \(changed.count - 5) more" : ""
      throw .notes(
        "\(folder): error: nothing was written, because these files were changed since the export or were not exported:\(shown)\(rest)\n"
          + "Rename them, export to another folder, or replace them with --force.")
    }
    var both = known
    for (name, mark) in new { both[name, default: []].insert(mark) }
    do throws(FileError) {
      try FileSystem.makeFolders(folder)
      // From here on, each file is either the old one or the new one, and the list contains both.
      try AtomicFile.write(Self.text(both), to: "\(folder)/\(Self.listName)")
      for name in new.keys.sorted() {
        let file = "\(staging)/\(name)"
        guard FileSystem.kind(of: file) == .file else { continue }
        try FileSystem.put(file, at: "\(folder)/\(name)", below: folder)
      }
      for name in known.keys.sorted() where new[name] == nil {
        try FileSystem.remove("\(folder)/\(name)")
        // The folder of a thread that is no longer exported; other files in it stay.
        var parent = name.split(separator: "/").dropLast()
        while !parent.isEmpty {
          try FileSystem.removeOne("\(folder)/\(parent.joined(separator: "/"))")
          parent.removeLast()
        }
      }
      try AtomicFile.write(Self.text(new.mapValues { [$0] }), to: "\(folder)/\(Self.listName)")
    } catch {
      throw .file(error)
    }
  }

  /// Returns the files that the export would replace or remove although they have changed since the last export.
  private func foreign() throws(ExportFormatError) -> [String] {
    var foreign: [String] = []
    for name in Set(known.keys).union(new.keys).sorted() {
      let path = "\(folder)/\(name)"
      switch FileSystem.kind(of: path) {
      case .nothing: continue
      case .file: break
      case .link, .folder, .other:
        foreign.append(name)
        continue
      }
      let marks = known[name, default: []]
      let isMedium = ![".md", ".ts"].contains(where: name.hasSuffix)
      let mark =
        isMedium
        ? Self.mark(size: FileSystem.size(of: path) ?? 0)
        : Self.mark(try withFiles { () throws(FileError) in try FileBytes.read(path) })
      if !marks.contains(mark), new[name] != mark { foreign.append(name) }
    }
    return foreign
  }

  package static let mediaPrefix = "media/"

  private static func mark(_ bytes: [UInt8]) -> String { ContentHash.of(bytes) }
  private static func mark(size: Int) -> String { "\(size)" }

  private static func text(_ list: [String: Set<String>]) -> [UInt8] {
    var text = UTF8Buffer()
    for (name, marks) in list.sorted(by: { $0.key < $1.key }) {
      for mark in marks.sorted() { text.append("\(mark) \(name)\n") }
    }
    return text.bytes
  }

  private static func list(in folder: String) throws(ExportFormatError) -> [String: Set<String>] {
    let path = "\(folder)/\(listName)"
    guard FileSystem.kind(of: path) != .nothing else { return [:] }
    let bytes = try withFiles { () throws(FileError) in try FileBytes.read(path, atMost: 256 << 20) }
    var list: [String: Set<String>] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard words.count == 2 else { continue }
      let name = String(decoding: words[1], as: UTF8.self)
      // The list may be manipulated, so names that lead out of the folder are ignored.
      guard isOurs(name) else { continue }
      list[name, default: []].insert(String(decoding: words[0], as: UTF8.self))
    }
    return list
  }

  /// Whether a name can be the name of an exported file.
  private static func isOurs(_ name: String) -> Bool {
    name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && !$0.hasPrefix(".")
    }
  }
}
