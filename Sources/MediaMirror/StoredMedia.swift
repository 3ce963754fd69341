package import Basics
package import ThreadStore

/// A file in the store's media folder.
package struct StoredMedia: Sendable, Hashable {
  /// The file's name in the media folder, by which conversations and profiles refer to it.
  package var name: String
  package var type: MediaType
  /// Width and height, and the duration of a video or a sound.
  package var shape: MediaDimensions
  package var bytes: Int
  /// Whether the file was not in the store before.
  package var isNew: Bool
}

extension StoredMedia {
  /// Checks a file in the store like a new one, but without its digest. A store may have been cloned from an untrusted source, and
  /// visitors' browsers trust all files that a site publishes.
  ///
  /// - Parameters:
  ///   - file: only the parts with the type and the dimensions are read; captions are read completely.
  ///   - name: the file's name in the media folder.
  /// - Throws: the reason why the file would be refused.
  package init(
    inspecting file: borrowing OpenFile, named name: String, accepting family: MediaType.Family? = nil,
    limits: MediaLimits = MediaLimits()
  ) throws(MediaError) {
    var window = ByteWindow(descriptor: file.descriptor, count: file.count)
    let type = try MediaStore.type(of: window.head(MediaType.headLength), accepting: family)
    guard type.isNamed(by: name) else { throw .misnamed(type) }
    guard file.count <= limits.bytes(of: type.family) else {
      throw .tooLarge(limit: limits.bytes(of: type.family))
    }
    guard let shape = MediaDimensions(type, reading: &window) else { throw .damaged(type) }
    try limits.check(shape)
    self.init(name: name, type: type, shape: shape, bytes: file.count, isNew: false)
  }
}

extension StoredMedia {
  /// Returns whether a file of a store has metadata that `MediaMetadata` removes. Files that were stored before this removal existed may
  /// have it.
  package static func hasMetadata(_ name: String, in store: ThreadStore) -> Bool {
    // An invalid name or a missing file has no metadata.
    guard let path = try? store.mediaPath(name), let file = try? OpenFile(path) else { return false }
    var window = ByteWindow(descriptor: file.descriptor, count: file.count)
    guard let type = MediaType(head: window.head(MediaType.headLength)) else { return false }
    return withExtendedLifetime(file.path) { MediaMetadata.cleaned(type, &window) != nil }
  }
}
