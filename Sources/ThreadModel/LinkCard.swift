/// The preview of a page that a post links to.
package struct LinkCard: Hashable, Sendable {
  package var url: String
  package var title: String?
  package var summary: String?
  package var imageURL: String?
  /// Pixels.
  package var imageWidth: Int?
  /// Pixels.
  package var imageHeight: Int?
  /// The image's copy in the store's media folder, by file name.
  package var imageFile: String?

  package init(url: String, title: String? = nil, summary: String? = nil, imageURL: String? = nil) {
    self.url = url
    self.title = title
    self.summary = summary
    self.imageURL = imageURL
  }
}
