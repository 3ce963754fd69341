import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// All files below a folder with their signatures, in no particular order.
///
/// Paths are from the folder on. Folders that cannot be read are left out and named by ``problem``: who needs every file has to stop there, as files that
/// are not listed look like files that were deleted.
package struct FileTree: Sendable {
  package private(set) var files: [(path: String, signature: FileSignature)] = []
  /// Folders; the top one is the empty path.
  package private(set) var folders: [(path: String, signature: FileSignature)] = []

  /// The first folder that could not be read, and why; `nil` if all were read, or if there is no folder at all.
  package private(set) var problem: FileError?

  private let top: String

  /// - Parameter top: without links; nothing below a link is listed.
  package init(_ top: String) {
    self.top = top
    do throws(FileError) {
      walk(try FileSystem.open(top, O_RDONLY | O_DIRECTORY, for: "list the folder"), "")
    } catch {
      if error.kind != .missing { problem = error }
    }
  }

  /// Lists a folder whose every file is needed.
  ///
  /// - Throws: ``problem``.
  package init(whole top: String) throws(FileError) {
    self.init(top)
    if let problem { throw problem }
  }

  private mutating func note(_ code: Int32, at path: String) {
    guard problem == nil, code != ENOENT else { return }  // removed meanwhile
    problem = FileError(
      operation: "list the folder", path: path.isEmpty ? top : top + "/" + path, code: code)
  }

  /// Takes the descriptor.
  private mutating func walk(_ descriptor: Int32, _ path: String) {
    guard let folder = fdopendir(descriptor) else {
      note(errno, at: path)
      close(descriptor)
      return
    }
    defer { closedir(folder) }
    var information = stat()
    if fstat(descriptor, &information) == 0 { folders.append((path, FileSignature(information))) }
    while let entry = readdir(folder) {
      let name = FileSystem.name(of: entry)
      guard name != ".", name != "..", fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0
      else {
        continue
      }
      let inner = path.isEmpty ? name : path + "/" + name
      if information.st_mode & S_IFMT == S_IFDIR {
        let next = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if next >= 0 { walk(next, inner) } else { note(errno, at: inner) }
      } else {
        files.append((inner, FileSignature(information)))
      }
    }
  }
}

/// A folder that is open, for looking at many files below it.
package final class OpenFolder: Sendable {
  private let descriptor: Int32

  /// - Returns: `nil` where there is no folder that can be opened.
  package init?(_ path: String) {
    let descriptor = cfiles_open_folder(path)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The signature of what stands at a path from the folder on, the empty one being the folder's own; `nil` where there is nothing.
  ///
  /// Only the last part is looked at without following links: whoever compares signatures has those of the folders on the way, too.
  package func signature(of path: String) -> FileSignature? {
    var information = stat()
    guard fstatat(descriptor, path.isEmpty ? "." : path, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return FileSignature(information)
  }
}
