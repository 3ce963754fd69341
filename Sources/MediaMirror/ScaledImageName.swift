import Basics

/// The file name of a copy of one of the store's photos, such as `680w-NAME`; networks' copies have no such names.
package struct ScaledImageName: Sendable, Hashable {
  /// The widths of copies in pixels. The text column is 640 CSS pixels wide, half of that for two photos side by side. Screens have one to
  /// three pixels per CSS pixel.
  package static let widths = [340, 680, 1360]
  /// The maximum width in pixels of copies in a newer format, of which the largest replaces the photo on a page.
  package static let maximumWidth = 2048

  /// The photo's file name.
  package let photo: String
  package let width: Int
  package let type: MediaType

  /// - Parameters:
  ///   - type: the format of the photo.
  ///   - format: the format of the copy; by default JPEG for a JPEG, and otherwise WebP, because a PNG of a smaller picture is often a larger
  ///     file.
  package init(of photo: String, _ type: MediaType, width: Int, format: MediaType? = nil) {
    self.photo = photo
    self.width = width
    self.type = format ?? (type == .jpeg ? .jpeg : .webp)
  }

  /// Reads the name of a copy; `nil` if the name does not belong to a copy.
  package init?(_ name: String) {
    let digits = name.utf8.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard (1...4).contains(digits.count), let width = Int(String(decoding: digits, as: UTF8.self)),
      name.dropFirst(digits.count).hasPrefix("w-")
    else { return nil }
    let file = String(name.dropFirst(digits.count + 2))
    let formats: [MediaType] = [.webp, .avif]
    if let format = formats.first(where: { format in
      Self.photos.contains { file.hasByteSuffix("\($0).\(format.fileExtension)") }
    }) {
      self.init(
        of: String(file.dropLast(format.fileExtension.count + 1)), .webp, width: width, format: format)
    } else if Self.photos.prefix(2).contains(where: file.hasByteSuffix) {
      self.init(of: file, .jpeg, width: width)
    } else {
      return nil
    }
  }

  /// The extensions of photos of which copies are made, JPEG's first.
  private static let photos = [".jpg", ".jpeg", ".png", ".webp"]

  /// The name itself. The copy of a JPEG has the photo's own extension.
  package var file: String { "\(width)w-\(photo)" + (type == .jpeg ? "" : "." + type.fileExtension) }
}
