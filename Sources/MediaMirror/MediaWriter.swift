import Basics

/// A media file that is being written into the store. One that is not finished is removed.
package struct MediaWriter: ~Copyable {
  private var file: IncomingFile
  private let mediaStore: MediaStore
  private let family: MediaType.Family?
  /// Known as soon as there are enough bytes.
  private var type: MediaType?

  init(file: consuming IncomingFile, mediaStore: MediaStore, family: MediaType.Family?) {
    self.file = file
    self.mediaStore = mediaStore
    self.family = family
  }

  /// Adds bytes. What is no media, or too large, is refused as soon as that shows, and then nothing more is to be written.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
    let limit = mediaStore.limits.bytes(of: type?.family ?? family)
    guard bytes.count <= limit - file.count else { throw .tooLarge(limit: limit) }
    do {
      try file.write(bytes)
    } catch {
      throw .file(error)
    }
    if type == nil, file.head.count >= MediaType.headLength {
      type = try MediaStore.type(of: file.head, accepting: family)
    }
  }

  mutating func attempt(_ bytes: UnsafeRawBufferPointer) -> MediaError? {
    do {
      try write(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Checks the whole and gives it its name.
  package consuming func finish() throws(MediaError) -> StoredMedia {
    try mediaStore.commit(&file, accepting: family)
  }
}
