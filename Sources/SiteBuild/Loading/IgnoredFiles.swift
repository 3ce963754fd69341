import Basics
import InterfaceText
import SiteConfig
import SiteOutput
import SiteWorkspace
import Templates
import ThreadMarkdown
import ThreadStore

/// Finds files in the folders of a site that have no effect, because their name, their extension or their folder is wrong.
///
/// Folders that cannot be listed are skipped here: the steps that need them report the error.
struct IgnoredFiles: Sendable {
  let site: SiteFolder

  /// Returns a warning about each file or folder without effect.
  func warnings(of resources: ThemeResources) -> [String] {
    folders + strayPages + strayFiles + strayThreads + components(of: resources)
      + strings(in: resources.words.localization.language)
      + theme(of: resources)
  }

  // MARK: - The site's folder and the store

  /// Folders whose names differ from those that the program reads only in letter case, or by a missing or superfluous `s`.
  private var folders: [String] {
    func stem(_ name: String) -> String {
      let lower = name.lowercased()
      return lower.without(byteSuffix: "s").map(String.init) ?? lower
    }
    let used = [site.store, site.output].map { String(PathText.name(of: $0)) }
    let known = ["pages", "static", "templates", "themes"]
    return entries(of: site.path).compactMap { entry -> String? in
      guard entry.kind == .folder, !known.contains(entry.name), !used.contains(entry.name),
        let meant = known.first(where: { stem($0) == stem(entry.name) })
      else { return nil }
      return warning(
        site.path + "/" + entry.name, "this folder has no effect; did you mean \(quoted(meant))?")
    }
  }

  /// Names that a page of a site usually has, and other documents of a folder have not.
  private static let usualPages = [
    "about", "colophon", "contact", "imprint", "impressum", "index", "now", "privacy", "uses",
  ]

  /// Markdown files that are beside the folder of pages instead of in it: those with front matter or a usual name.
  private var strayPages: [String] {
    entries(of: site.path).compactMap { entry -> String? in
      guard entry.kind == .file, let name = entry.name.without(byteSuffix: ".md").map(String.init) else {
        return nil
      }
      let path = site.path + "/" + entry.name
      // An unreadable file is not a page either.
      guard
        Self.usualPages.contains(name.lowercased())
          || (try? FileBytes.read(path))?.starts(with: "---\n".utf8) == true
      else { return nil }
      return warning(path, "this file has no effect; move a page to pages/")
    }
  }

  /// Files for hosts and browsers that are beside the folder `static`, style sheets outside of themes, archives in the store, and a folder
  /// of words outside of the templates.
  private var strayFiles: [String] {
    let own = ["favicon.ico", "favicon.svg", "cname", "robots.txt", "_headers", "_redirects", ".htaccess"]
    let beside = ((try? FileSystem.entries(of: site.path)) ?? []).sorted { $0.name < $1.name }
    let files = beside.compactMap { entry -> String? in
      let (path, name) = (site.path + "/" + entry.name, entry.name.lowercased())
      if entry.kind == .folder {
        return name == "strings" ? warning(path, "this folder has no effect; move it to templates/") : nil
      }
      if own.contains(name) { return warning(path, "this file has no effect; move it to static/") }
      guard ["style.css", "styles.css", "custom.css"].contains(name) else { return nil }
      return warning(
        path, "this file has no effect; a style sheet belongs to a theme (see `threadsite help own-theme`)")
    }
    return files
      + entries(of: site.store).filter { $0.kind == .file && $0.name.hasByteSuffix(".zip") }.map {
        warning(
          site.store + "/" + $0.name, "this file has no effect; import an archive with `threadsite import`")
      }
  }

  /// Threads in the store that are not in the folder of a network and an author.
  private var strayThreads: [String] {
    // `review` records its findings in reviewed.json.
    let records = [
      Permalinks.fileName, SourceState.fileName, RemovedThreads.fileName, DeadLinks.fileName,
      WebMentions.fileName,
      "reviewed.json",
    ]
    let top = entries(of: site.store)
    let networks = top.filter {
      $0.kind == .folder && ![ThreadStore.mediaFolderName, ThreadStore.profilesFolderName].contains($0.name)
    }
    let files =
      top.filter { $0.kind == .file && !records.contains($0.name) }.map(\.name)
      + networks.flatMap { network in
        entries(of: site.store + "/" + network.name).filter { $0.kind == .file }.map {
          network.name + "/" + $0.name
        }
      }
    return files.filter { $0.hasByteSuffix(".json") }.map {
      warning(
        site.store + "/" + $0,
        "this file has no effect; move a thread to the folder of its network and author, such as x/ada/")
    }
  }

  // MARK: - Templates and words

  private func components(of resources: ThemeResources) -> [String] {
    let folder = site.path + "/templates"
    return entries(of: folder).compactMap { entry -> String? in
      let path = folder + "/" + entry.name
      guard entry.kind != .folder else {
        return entry.name == "strings"
          ? nil
          : warning(path, "this folder has no effect; move its templates to templates/")
      }
      guard let name = entry.name.without(byteSuffix: ".mustache").map(String.init) else {
        return withoutExtension(path)
      }
      guard !resources.components.uses(name) else { return nil }
      return warning(
        path,
        "no component has this name and no template uses it, so it has no effect"
          + Suggestion.phrase(for: name, among: ThreadComponents.templateNames))
    }
  }

  /// - Parameter language: the language of the interface.
  private func strings(in language: String) -> [String] {
    let folder = site.path + "/templates/strings"
    let parts = [language, site.config.language].flatMap { tag in
      let parts = tag.split(separator: "-")
      return parts.indices.map { parts[...$0].joined(separator: "-") }
    }
    return entries(of: folder).compactMap { entry -> String? in
      let path = folder + "/" + entry.name
      if isNote(entry.name) { return nil }
      guard let tag = entry.name.without(byteSuffix: ".yml").map(String.init) else {
        return warning(
          path, "this file has no effect, because the names of strings files end in .yml; rename it")
      }
      guard tag != "en", !parts.contains(tag) else { return nil }
      return warning(
        path,
        "this file has no effect, because the site's language is \(quoted(site.config.language)); set `language` in site.yml, or rename the file"
      )
    }
  }

  // MARK: - The theme

  /// The layouts that a theme may have without extending another one.
  private static let layouts = Theme.requiredLayouts + ["page", "search", "statistics"]
  private static let themeFolders = ["layouts", "partials", "static", "templates"]

  /// Files of the site's own theme.
  private func theme(of resources: ThemeResources) -> [String] {
    let folder = site.path + "/themes/" + site.config.theme
    guard let tree = try? FileTree(whole: folder) else { return [] }
    let called = resources.theme.layouts.calledTemplates
    // A name that only a value contains may be any name.
    let isOpen = resources.theme.sources.contains {
      $0.text.utf8.split(separator: UInt8(ascii: "{")).contains { $0.starts(with: ">*".utf8) }
    }
    var seen: Set<String> = []
    return tree.files.map(\.path).sorted().compactMap { file -> String? in
      let path = folder + "/" + file
      let names = file.split(atBytes: "/").map(String.init)
      guard names.count > 1, let top = names.first, let last = names.last else {
        // Beside theme.yml and head.js, a theme may have a description, a license and pictures.
        guard file.hasByteSuffix(".mustache") || file.hasByteSuffix(".css") else { return nil }
        return warning(
          path, "this file has no effect; move it to layouts/, partials/ or static/ of the theme")
      }
      if names.contains(where: PathText.isHidden) { return nil }
      guard Self.themeFolders.contains(top) else {
        let meant = Suggestion.phrase(for: top, among: Self.themeFolders)
        guard !meant.isEmpty || last.hasByteSuffix(".mustache"), seen.insert(top).inserted else { return nil }
        return warning(
          folder + "/" + top,
          "this folder has no effect; a theme has the folders layouts, partials, static and templates" + meant
        )
      }
      guard top != "static", !file.hasBytePrefix("templates/strings/") else { return nil }
      guard let name = last.without(byteSuffix: ".mustache").map(String.init) else {
        return withoutExtension(path)
      }
      let isUsed =
        top == "templates"
        ? resources.components.uses(name)
        : isOpen || called.contains(name) || top == "layouts" && Self.layouts.contains(name)
      guard !isUsed else { return nil }
      let known =
        switch top {
        case "templates": ThreadComponents.templateNames
        case "layouts": Self.layouts + called.sorted()
        default: called.sorted()
        }
      return warning(
        path, "no template uses this file, so it has no effect" + Suggestion.phrase(for: name, among: known))
    }
  }

  // MARK: - Messages

  private func withoutExtension(_ path: String) -> String? {
    isNote(String(PathText.name(of: path)))
      ? nil
      : warning(path, "this file has no effect, because the names of templates end in .mustache; rename it")
  }

  /// Whether a file is for people and not for the program.
  private func isNote(_ name: String) -> Bool {
    name.lowercased().hasPrefix("readme") || name.lowercased().hasPrefix("license")
      || SiteFolder.isLitter(name) || name.hasByteSuffix("~")
  }

  private func warning(_ path: String, _ text: String) -> String { "\(path): warning: \(text)" }

  private func entries(of folder: String) -> [FileSystem.Entry] {
    ((try? FileSystem.entries(of: folder)) ?? []).filter { !PathText.isHidden($0.name) }
  }
}
