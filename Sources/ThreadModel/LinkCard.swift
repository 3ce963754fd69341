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

extension LinkCard: StoredRecord {
  package static let noun = "link card"
  package static func blank(on platform: Platform) -> Self { Self(url: "") }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("image_file", \.imageFile, .ownMerge)
    try visitor.field("image_height", \.imageHeight, .ownMerge)
    try visitor.field("image_url", \.imageURL, .address)
    try visitor.field("image_width", \.imageWidth, .ownMerge)
    try visitor.field("summary", \.summary, .words)
    try visitor.field("title", \.title, .words)
    try visitor.field("url", \.url, [.required, .address, .ownMerge])
  }
}
