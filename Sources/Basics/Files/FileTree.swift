import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// All files in a folder and its subfolders with their signatures, in no particular order.
///
/// Paths are relative to the folder. Unreadable folders are left out, and the first one is in ``problem``. A caller that needs every file
/// must check it, because unlisted files look like deleted files.
package struct FileTree: Sendable {
  package private(set) var files: [(path: String, signature: FileSignature)] = []
  /// Whether the folder contains symbolic links.
  package private(set) var hasLinks = false

  /// The first folder that could not be read, and the reason; `nil` if all were read, or if the top folder is missing.
  package private(set) var problem: FileError?

  private let top: String

  /// - Parameter top: the folder, without links in its path; links in the folder are not followed.
  package init(_ top: String) {
    self.top = top
    do throws(FileError) {
      walk(try FileSystem.open(top, O_RDONLY | O_DIRECTORY, for: "list the folder"), "")
    } catch {
      if error.kind != .missing { problem = error }
    }
  }

  /// Lists a folder of which every file is needed.
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

  /// Adds the files of a folder and its subfolders, and closes the descriptor.
  private mutating func walk(_ descriptor: Int32, _ path: String) {
    guard let folder = fdopendir(descriptor) else {
      note(errno, at: path)
      close(descriptor)
      return
    }
    defer { closedir(folder) }
    var information = stat()
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
        if information.st_mode & S_IFMT == S_IFLNK { hasLinks = true }
        files.append((inner, FileSignature(information)))
      }
    }
  }
}

/// An open folder, for inspecting many files in it.
package final class OpenFolder: Sendable {
  private let descriptor: Int32

  /// - Returns: `nil` if the folder is missing or cannot be opened.
  package init?(_ path: String) {
    let descriptor = cfiles_open_folder(path)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the signature of a path relative to the folder, or of the folder itself for the empty path; `nil` if the path is missing.
  ///
  /// Links are followed in all parts of the path but the last. So callers that compare signatures must also compare those of the folders in
  /// the path.
  package func signature(of path: String) -> FileSignature? {
    var information = stat()
    guard fstatat(descriptor, path.isEmpty ? "." : path, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return FileSignature(information)
  }
}
