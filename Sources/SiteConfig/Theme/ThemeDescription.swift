/// What a theme.yml says: what the theme is called, which one it builds upon, and what its users may choose.
///
/// Read as strictly as a site.yml, with the same messages.
package struct ThemeDescription: Sendable, Equatable {
  package var name: String?
  /// One paragraph.
  package var summary: String?
  package var version: String?
  /// The theme that this one builds upon (`extends`), by the name of its folder.
  package var base: String?
  /// Whether pages are given pictures of people; `nil` where the file does not say.
  package var showsAvatars: Bool?
  /// Whether previews of linked pages are given their pictures; `nil` where the file does not say.
  package var showsCardImages: Bool?
  /// Whether servers' own emoji are pictures; `nil` where the file does not say.
  package var showsEmoji: Bool?
  /// The ground of its pages; `nil` where the file does not say.
  package var colors: ThemeColors?
  /// In the order of the file.
  package var options: [ThemeOptionDeclaration] = []
}

extension ThemeDescription: ConfigSection {
  static let defaults = ThemeDescription()

  static let fields: [ConfigField<ThemeDescription>] = [
    ConfigField("name", \.name, .line),
    ConfigField("description", \.summary, .paragraph),
    ConfigField("version", \.version, .line),
    ConfigField("extends", \.base, .remembered(.folderName)),
    ConfigField("avatars", \.showsAvatars, .flag),
    ConfigField("card_images", \.showsCardImages, .flag),
    ConfigField("emoji", \.showsEmoji, .flag),
    ConfigField("colors", \.colors, .section),
    ConfigField("options", \.options, .themeOptionDeclarations),
  ]
}

/// A theme.yml that was read.
package struct DecodedThemeDescription: Sendable, Equatable {
  package let description: ThemeDescription
  /// The file's name, as it stands in messages.
  package let file: String
  private let locations: [String: ConfigProblem.Location]

  /// Reads a theme.yml.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: its name for messages.
  /// - Throws: ``SiteConfigError`` with all problems in the order of the lines.
  package init(bytes: some Sequence<UInt8>, file: String) throws(SiteConfigError) {
    let decoded = try StrictYAML<ThemeDescription>.decode(bytes: bytes, file: file, kind: "theme.yml")
    description = decoded.section
    locations = decoded.locations
    self.file = file
  }

  /// What a later stage has to say of a key, such as that there is no theme of the name that `extends` gives.
  package func problem(at keyPath: String, _ message: String) -> ConfigProblem {
    ConfigProblem(file: file, location: locations[keyPath], keyPath: keyPath, message: message)
  }
}

extension ValueReader {
  /// The same reader, for values that a later stage may want to point at.
  static func remembered(_ reader: ValueReader) -> ValueReader {
    ValueReader(nestedKeys: reader.nestedKeys) { value, problems in
      problems.remember(value)
      return reader.read(value, &problems)
    }
  }
}

/// What the ground of a theme's pages looks like, for what browsers and phones draw around them.
package struct ThemeColors: Sendable, Equatable {
  /// `#rrggbb`, as the theme.yml has it.
  package var light = ""
  package var dark = ""
}

extension ThemeColors: ConfigSection {
  static let defaults = ThemeColors()

  static let fields: [ConfigField<ThemeColors>] = [
    ConfigField("light", \.light, .color, isRequired: true),
    ConfigField("dark", \.dark, .color, isRequired: true),
  ]
}

extension ValueReader where Value == String {
  /// Six hexadecimal digits: the one way to write a colour that CSS, metadata of pages and web manifests all read.
  static var color: ValueReader {
    .text("a color") { text throws(InvalidValue) in
      let digits = text.utf8.dropFirst()
      guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy(isHexadecimal) else {
        throw InvalidValue("\(quoted(text)) is no color: expected \"#\" and six digits, such as \"#1d4d7e\"")
      }
      return text.lowercased()
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
