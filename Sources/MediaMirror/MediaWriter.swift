import Basics

/// A media file that is being written into the store. The file is removed unless it is finished.
package struct MediaWriter: ~Copyable {
  private var file: IncomingFile
  private let mediaStore: MediaStore
  private let family: MediaType.Family?
  /// The detected type; `nil` until enough bytes are written.
  private var type: MediaType?

  init(file: consuming IncomingFile, mediaStore: MediaStore, family: MediaType.Family?) {
    self.file = file
    self.mediaStore = mediaStore
    self.family = family
  }

  /// Appends bytes. A file that is of an unsupported type or too large is refused as early as possible. After an error, nothing more may be
  /// written.
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

  /// Checks the complete file and moves it into the media folder.
  package consuming func finish() throws(MediaError) -> StoredMedia {
    try mediaStore.commit(&file, accepting: family)
  }
}
