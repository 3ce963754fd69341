import Basics

/// The file names of smaller copies of the store's photos, such as `680w-NAME`.
package enum ScaledImageName {
  /// The widths of copies in pixels. The text column is 640 CSS pixels wide, half of that for two photos side by side. Screens have one to
  /// three pixels per CSS pixel.
  package static let widths = [340, 680, 1360]

  /// Returns the name of a copy, such as `680w-NAME`; networks' copies have no such names. All formats but JPEG become WebP, because a PNG
  /// of a smaller picture is often a larger file.
  package static func name(of file: String, _ type: MediaType, width: Int) -> String {
    "\(width)w-\(file)" + (type == .jpeg ? "" : ".webp")
  }

  /// Returns the file name of the photo for the name of a copy; `nil` if the name does not belong to a copy.
  package static func photo(of name: String) -> String? {
    guard let width = widths.first(where: { name.hasBytePrefix("\($0)w-") }) else { return nil }
    let file = String(name.dropFirst("\(width)w-".count))
    if [".jpg", ".jpeg"].contains(where: file.hasByteSuffix) { return file }
    return [".png.webp", ".webp.webp"].contains(where: file.hasByteSuffix)
      ? String(file.dropLast(".webp".count)) : nil
  }
}
