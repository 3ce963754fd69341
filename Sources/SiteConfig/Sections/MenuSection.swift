import Basics

extension SiteConfig {
  /// An entry of the navigation and its target.
  package struct MenuEntry: Sendable, Equatable {
    package enum Target: Sendable, Equatable {
      case part(SitePart)
      /// The owner's page with this file name in `pages/`.
      case page(String)
      case url(WebURL)
    }

    package var target: Target
    /// The text of the entry; `nil` for the target's default name. Never `nil` for a URL.
    package var label: String?
  }

  /// The parts of a site to which its navigation can link.
  package enum SitePart: String, Sendable, CaseIterable {
    case threads, collections, authors, tags, archive, search, feed
  }
}

extension SiteConfig.MenuEntry {
  /// - Parameter text: the name of a part of the site, or of a file in `pages/`.
  fileprivate static func target(_ text: String) throws(InvalidValue) -> Target {
    if let part = SiteConfig.SitePart(rawValue: text) { return .part(part) }
    guard text.hasByteSuffix(".md") else {
      let parts = SiteConfig.SitePart.allCases.map(\.rawValue)
      throw InvalidValue(
        "\(quoted(text)) is neither a part of the site (\(parts.joined(separator: ", "))) nor a file in pages/, such as about.md"
          + Suggestion.phrase(for: text, among: parts))
    }
    return .page(text.without(bytePrefix: "pages/").map { String($0) } ?? text)
  }
}

/// The keys of a menu entry that is a mapping.
private struct MenuFields: ConfigSection {
  var page: SiteConfig.MenuEntry.Target?
  var url: WebURL?
  var label: String?

  package static let defaults = MenuFields()

  package static let fields: [ConfigField<MenuFields>] = [
    ConfigField("page", \.page, .menuTarget),
    ConfigField("url", \.url, .webURL),
    ConfigField("label", \.label, .line(upTo: 100)),
  ]

  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    guard case .mapping(let entries) = value.node.content else { return }
    let keys = Set(entries.filter { !$0.value.isNull }.map(\.key))
    if keys.contains("page") == keys.contains("url") {
      problems.error("expected one of the keys page and url", at: value)
    } else if keys.contains("url"), !keys.contains("label") {
      problems.error("an entry with a url needs a label", at: value)
    }
  }
}

extension ValueReader where Value == SiteConfig.MenuEntry.Target {
  fileprivate static var menuTarget: ValueReader {
    .text("a part of the site or a file in pages/") { text throws(InvalidValue) in
      try SiteConfig.MenuEntry.target(text)
    }
  }
}

extension ValueReader where Value == [SiteConfig.MenuEntry] {
  /// A list of parts of the site, files in `pages/`, and mappings with a label. Their positions are remembered for the stage that reads the pages.
  static var menu: ValueReader {
    .list(
      of: ValueReader<SiteConfig.MenuEntry>(nestedKeys: MenuFields.knownKeys.map { "." + $0 }) {
        value, problems in
        problems.remember(value)
        guard case .mapping = value.node.content else {
          return ValueReader<SiteConfig.MenuEntry.Target>.menuTarget.read(value, &problems).map {
            SiteConfig.MenuEntry(target: $0)
          }
        }
        guard let fields = ValueReader<MenuFields>.section.read(value, &problems),
          let target = fields.page ?? fields.url.map({ .url($0) })
        else { return nil }
        return SiteConfig.MenuEntry(target: target, label: fields.label)
      })
  }
}
