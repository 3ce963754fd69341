/// The icons of a site in tabs, bookmarks, feeds and on home screens: those of the theme, or those of the site in their place.
package struct SiteIcons: Sendable {
  /// An SVG.
  package var vector: SitePath?
  /// A PNG, for programs that do not show SVG: home screens, and some browsers' tabs.
  package var bitmap: Bitmap?
  /// An icon in the old format of Windows, `favicon.ico`, for programs that know no other.
  package var legacy: SitePath?

  package init(vector: SitePath? = nil, bitmap: Bitmap? = nil, legacy: SitePath? = nil) {
    self.vector = vector
    self.bitmap = bitmap
    self.legacy = legacy
  }

  /// The icon for programs that take one picture of any kind, such as feed readers.
  package var any: SitePath? { vector ?? bitmap?.path }

  /// A square PNG.
  package struct Bitmap: Sendable {
    package let path: SitePath
    /// The side length in pixels.
    package let size: Int

    /// Reads the size from the signature and the chunk `IHDR` with width and height (PNG specification, 5.2, 5.3 and 11.2.1).
    ///
    /// - Returns: `nil` if the bytes are not a square PNG.
    package init?(_ path: SitePath, _ bytes: [UInt8]) {
      let start = Array(bytes.prefix(24))
      let signature: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
      ]
      guard start.count == 24, start.prefix(16).elementsEqual(signature) else { return nil }
      let sides = [start[16..<20], start[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
      guard sides[0] == sides[1], sides[0] > 0 else { return nil }
      self.path = path
      size = sides[0]
    }
  }
}
