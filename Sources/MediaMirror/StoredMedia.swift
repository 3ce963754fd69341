package import Basics
package import ThreadStore

/// A file of the store's media folder.
package struct StoredMedia: Sendable, Hashable {
  /// Its name in the media folder: what the model keeps.
  package var name: String
  package var type: MediaType
  /// Width and height, and a video's duration.
  package var shape: MediaDimensions
  package var bytes: Int
  /// Whether it was not there before.
  package var isNew: Bool
}

extension StoredMedia {
  /// Looks at a file that is in the store already like at a new one, its digest left aside: a store may have been cloned from
  /// anybody, and what a site publishes under its own address is what its visitors' browsers trust.
  ///
  /// - Parameters:
  ///   - file: is read no further than its header.
  ///   - name: its name in the media folder.
  /// - Throws: why it would not be kept.
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
  /// Whether a file of a store says more than it shows (`MediaMetadata`), as those do that came before such things were taken out.
  package static func hasMetadata(_ name: String, in store: ThreadStore) -> Bool {
    // A name or a file that is none says nothing.
    guard let path = try? store.mediaPath(name), let file = try? OpenFile(path) else { return false }
    var window = ByteWindow(descriptor: file.descriptor, count: file.count)
    guard let type = MediaType(head: window.head(MediaType.headLength)) else { return false }
    return withExtendedLifetime(file.path) { MediaMetadata.cleaned(type, &window) != nil }
  }
}
