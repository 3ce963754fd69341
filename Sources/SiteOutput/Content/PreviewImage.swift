/// The picture that a page is shown with elsewhere: in messengers, in other networks' previews.
package struct PreviewImage: Sendable, Equatable {
  package var source: SummaryImage
  /// Pixels; `nil` where nobody has said.
  package var size: Size?
  /// One line for those who do not see it; `nil` where nobody wrote one.
  package var altText: String?

  package struct Size: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init?(width: Int?, height: Int?) {
      guard let width, let height, width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }
  }

  package init(_ source: SummaryImage, size: Size? = nil, altText: String? = nil) {
    self.source = source
    self.size = size
    self.altText = altText
  }

  /// Whether it fills a large preview: X takes no smaller ones than 300 by 157 pixels for these. A picture whose size nobody knows is taken for
  /// one of a post, which is larger.
  var isLarge: Bool { size.map { $0.width >= 300 && $0.height >= 157 } ?? true }
}
