/// A file of the store's media folder.
package struct StoredMedia: Sendable, Hashable {
  /// Its name in the media folder: what the model keeps.
  package var name: String
  package var type: MediaType
  /// Width and height, and a video's duration.
  package var shape: MediaShape
  package var bytes: Int
  /// Whether it was not there before.
  package var isNew: Bool
}
