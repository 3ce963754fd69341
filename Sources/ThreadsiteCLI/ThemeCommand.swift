import ArgumentParser
import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace

/// `threadsite theme`
struct ThemeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "theme",
    abstract: "List and describe themes, or create one.",
    discussion: """
      list prints the installed themes and those in themes/; an asterisk marks the theme of the site. show prints a theme's description, \
      folders and options. new creates a theme in themes/ that extends another one and builds at once (`threadsite help own-theme`).

      Examples:
        threadsite theme list
        threadsite theme show zettel
        threadsite theme new mine --extends paper
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, show, new
  }

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ArgumentHelp("What to do.", valueName: "action"))
  var action: Action

  @Argument(
    help: ArgumentHelp(
      "The theme (show, new). For show, the default is the theme of the site.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The theme that the new one extends (new). The default is paper.", valueName: "theme"))
  var extends: String?

  func validate() throws {
    switch action {
    case .list where name != nil:
      throw ValidationError("list takes no name; to describe one theme, use show.")
    case .new where name == nil:
      throw ValidationError("new needs a name: threadsite theme new my-theme")
    default: break
    }
    if extends != nil, action != .new { throw ValidationError("--extends needs new.") }
  }

  func run() throws {
    try messages.run(command: "theme") { console in
      // Themes can also be listed outside a site. A theme is created only in a site.
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, needsStore: action == .new,
        environment: Machine.environment, progress: console.progress)
      let themes = SiteThemes(site: folder.path, installation: Machine.installation)
      let current = folder.decoded == nil ? nil : folder.config.theme
      switch action {
      case .list: try list(try themes.all(), current: current, console)
      case .show: try show(try themes.theme(name ?? folder.config.theme), console)
      case .new: try create(name ?? "", themes, console)
      }
    }
  }

  private func list(_ themes: [ThemeSummary], current: String?, _ console: Console) throws {
    let width = themes.map(\.name.count).max() ?? 0
    try console.data(
      themes.map { theme in
        (theme.name == current ? "* " : "  ") + theme.name
          + String(repeating: " ", count: width - theme.name.count)
          + "  " + (theme.description ?? "No description.")
      }.joined(separator: "\n"))
    try console.finish("", json: ["themes": .array(themes.map { Self.json($0) })])
  }

  private func show(_ theme: ThemeSummary, _ console: Console) throws {
    var lines = [theme.name + (theme.version.map { " " + $0 } ?? "")]
    if let description = theme.description { lines.append(description) }
    if !theme.bases.isEmpty { lines.append("Extends: " + theme.bases.joined(separator: ", ")) }
    lines += theme.folders.map { "Folder: " + $0 }
    lines.append(
      theme.options.isEmpty ? "It has no options." : "Options, set under `theme_options` in site.yml:")
    for option in theme.options {
      lines.append("  \(option.name): \(Self.values(of: option)); default: \(Self.words(option.standard))")
      if let summary = option.summary { lines.append("      " + summary) }
    }
    try console.data(lines.joined(separator: "\n"))
    try console.finish("", json: ["themes": .array([Self.json(theme)])])
  }

  private func create(_ name: String, _ themes: SiteThemes, _ console: Console) throws {
    let files = try themes.create(name, extending: extends ?? "paper")
    let theme = try themes.theme(name)
    try console.finish(
      """
      Created the theme \(name): \(files.joined(separator: ", ")).
      Next: set `theme: \(name)` in site.yml, then look at `threadsite serve --open` while you edit.
      """, json: ["files": .array(files.map { .string($0) }), "themes": .array([Self.json(theme)])])
  }

  /// The possible values of an option in words.
  private static func values(of option: ThemeOptionDeclaration) -> String {
    switch option.kind {
    case .choice: option.values.joined(separator: ", ")
    case .flag: "true, false"
    case .text: "text"
    case .number:
      switch (option.least, option.most) {
      case (let least?, let most?): "\(least) to \(most)"
      case (let least?, nil): "a number from \(least)"
      case (nil, let most?): "a number up to \(most)"
      case (nil, nil): "a number"
      }
    }
  }

  private static func words(_ value: ThemeOptionValue) -> String {
    switch value {
    case .text(let text): text.isEmpty ? "empty" : text
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    }
  }

  private static func json(_ theme: ThemeSummary) -> JSONValue {
    [
      "name": .string(theme.name), "description": theme.description.map { .string($0) } ?? .null,
      "version": theme.version.map { .string($0) } ?? .null,
      "extends": .array(theme.bases.map { .string($0) }),
      "folders": .array(theme.folders.map { .string($0) }),
      "options": .array(
        theme.options.map { option in
          [
            "name": .string(option.name), "type": .string(option.kind.rawValue),
            "values": .array(option.values.map { .string($0) }),
            "default": json(option.standard),
            "description": option.summary.map { .string($0) } ?? .null,
          ]
        }),
    ]
  }

  private static func json(_ value: ThemeOptionValue) -> JSONValue {
    switch value {
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .number(let number): .integer(Int64(number))
    }
  }
}
