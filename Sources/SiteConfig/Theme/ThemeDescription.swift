/// The content of a theme.yml: the theme's name, the theme that it extends, and its options.
///
/// The file is read as strictly as a site.yml, with the same error messages.
package struct ThemeDescription: Sendable, Equatable {
  package var name: String?
  /// One paragraph.
  package var summary: String?
  package var version: String?
  /// The theme that this theme extends (`extends`), by the name of its folder.
  package var base: String?
  /// Whether pages show avatars; `nil` if the file does not set it.
  package var showsAvatars: Bool?
  /// Whether link cards show images; `nil` if the file does not set it.
  package var showsCardImages: Bool?
  /// Whether custom emoji are shown as images; `nil` if the file does not set it.
  package var showsEmoji: Bool?
  /// The background colors of pages; `nil` if the file does not set them.
  package var colors: ThemeColors?
  /// The text column of pages; `nil` if the file does not set it.
  package var column: ThemeColumn?
  /// The options in the order of the file.
  package var options: [ThemeOptionDeclaration] = []
}

extension ThemeDescription: ConfigSection {
  package static let defaults = ThemeDescription()

  package static let fields: [ConfigField<ThemeDescription>] = [
    ConfigField("name", \.name, .line),
    ConfigField("description", \.summary, .paragraph),
    ConfigField("version", \.version, .line),
    ConfigField("extends", \.base, .remembered(.folderName)),
    ConfigField("avatars", \.showsAvatars, .flag),
    ConfigField("card_images", \.showsCardImages, .flag),
    ConfigField("emoji", \.showsEmoji, .flag),
    ConfigField("colors", \.colors, .section),
    ConfigField("column", \.column, .section),
    ConfigField("options", \.options, .themeOptionDeclarations),
  ]
}

/// A decoded theme.yml with the locations of its values.
package struct DecodedThemeDescription: Sendable, Equatable {
  package let description: ThemeDescription
  /// The file's name for messages.
  package let file: String
  private let locations: [String: ConfigProblem.Location]

  /// Reads a theme.yml.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: the file's name for messages.
  /// - Throws: ``SiteConfigError`` with all problems in the order of the lines.
  package init(bytes: some Sequence<UInt8>, file: String) throws(SiteConfigError) {
    let decoded = try StrictYAML<ThemeDescription>.decode(bytes: bytes, file: file, kind: "theme.yml")
    description = decoded.section
    locations = decoded.locations
    self.file = file
  }

  /// Returns a problem that a later stage finds with a key, such as a missing theme in `extends`.
  package func problem(at keyPath: String, _ message: String) -> ConfigProblem {
    ConfigProblem(file: file, location: locations[keyPath], keyPath: keyPath, message: message)
  }
}

extension ValueReader {
  /// The same reader, for values that a later stage may report.
  static func remembered(_ reader: ValueReader) -> ValueReader {
    ValueReader(nestedKeys: reader.nestedKeys) { value, problems in
      problems.remember(value)
      return reader.read(value, &problems)
    }
  }
}

/// The background colors of a theme's pages. Browsers and phones also use them around a page.
package struct ThemeColors: Sendable, Equatable {
  /// In the form `#rrggbb`, like `dark`.
  package var light = ""
  package var dark = ""
}

extension ThemeColors: ConfigSection {
  package static let defaults = ThemeColors()

  package static let fields: [ConfigField<ThemeColors>] = [
    ConfigField("light", \.light, .color, isRequired: true),
    ConfigField("dark", \.dark, .color, isRequired: true),
  ]
}

/// The text column of a theme's pages. Browsers choose copies of images by its width.
package struct ThemeColumn: Sendable, Equatable {
  /// In rem.
  package var width = 0
  /// The minimum width in rem of a window that shows the full column.
  package var windowWidth = 0
}

extension ThemeColumn: ConfigSection {
  package static let defaults = ThemeColumn()

  package static let fields: [ConfigField<ThemeColumn>] = [
    ConfigField("width", \.width, .integer(in: 1...1000), isRequired: true),
    ConfigField("window", \.windowWidth, .integer(in: 1...1000), isRequired: true),
  ]
}

extension ValueReader where Value == String {
  /// A color with six hexadecimal digits, the only notation that CSS, page metadata and web manifests all accept.
  static var color: ValueReader {
    .text("a color") { text throws(InvalidValue) in
      let digits = text.utf8.dropFirst()
      guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy(isASCIIHexDigit) else {
        throw InvalidValue(
          "\(quoted(text)) is not a color: expected \"#\" and six hexadecimal digits, such as \"#1d4d7e\"")
      }
      return text.lowercased()
    }
  }
}
