import Basics
import Foundation
import SiteConfig
import SiteOutput
import ThreadModel
import ThreadStore

/// `threadsite init`: creates the files of a new site.
package struct NewSite: Sendable {
  /// The settings of a new site that its owner can choose.
  package struct Choices: Sendable {
    package var title = "Threads"
    package var language = "en"
    package var theme = "paper"

    package init() {}
  }

  private let folder: String
  private let choices: Choices
  private let forge: CIFiles.Forge?
  /// Whether the folder may contain other files.
  private let isBesideFiles: Bool
  /// The name of a file that the folder may contain: the archive that will be imported.
  private let archive: String?

  /// - Parameters:
  ///   - forge: the forge that will build the site. site.yml gets the publishing settings, unless the forge publishes the site itself.
  ///   - isBesideFiles: whether the folder may contain other files.
  ///   - archive: the path of an archive that the folder may contain.
  package init(
    folder: String, _ choices: Choices = Choices(), forge: CIFiles.Forge? = nil, isBesideFiles: Bool = false,
    archive: String? = nil
  ) {
    self.isBesideFiles = isBesideFiles
    self.archive = archive.map { String(PathText.name(of: $0)) }
    self.folder = FileSystem.withoutLinks(URL(filePath: folder).standardizedFileURL.path)
    self.choices = choices
    self.forge = forge
  }

  /// Returns the problem with a choice, with the option that sets it; `nil` if all are valid.
  ///
  /// - Parameter installation: the themes and languages that a site can have; `nil` if they are unknown.
  package static func problem(
    with choices: Choices, installation: Installation?
  ) -> (option: String, message: String)? {
    var titled = Choices()
    titled.title = choices.title
    if let problem = problem(decoding: titled) {
      return ("--title", "this is not a valid title.\n\(problem)")
    }
    if let themes = installation.map(themes), !themes.contains(choices.theme) {
      let suggestion = Suggestion.phrase(for: choices.theme, among: themes)
      return (
        "--theme",
        "there is no theme \(quoted(choices.theme))\(suggestion.isEmpty ? "; choose one of \(themes.joined(separator: ", "))" : suggestion)"
      )
    }
    var translated = Choices()
    translated.language = choices.language
    if let problem = problem(decoding: translated) {
      return ("--language", "this is not a language.\n\(problem)")
    }
    guard let languages = installation.map(languages), !languages.isEmpty else { return nil }
    let base = choices.language.prefix { $0 != "-" }.lowercased()
    guard languages.contains(where: { $0.prefix { $0 != "-" }.lowercased() == base }) else {
      return (
        "--language",
        "the interface is not translated to \(quoted(choices.language)); choose one of \(languages.joined(separator: ", ")), or add a strings file later (`threadsite help theming`)"
      )
    }
    return nil
  }

  /// The names of the installed themes.
  package static func themes(of installation: Installation) -> [String] {
    // Damaged themes are reported by the build.
    ((try? SiteThemes(site: installation.share, installation: installation).all()) ?? []).map(\.name).sorted()
  }

  /// The installed languages of the interface.
  package static func languages(of installation: Installation) -> [String] {
    ((try? FileSystem.names(in: installation.share + "/templates/strings")) ?? []).compactMap {
      $0.without(byteSuffix: ".yml").map { String($0) }
    }.sorted()
  }

  private static func problem(decoding choices: Choices) -> SiteConfigError? {
    do {
      _ = try SiteConfig.decode(
        yaml: SiteConfig.starter(title: choices.title, language: choices.language, theme: choices.theme),
        file: "site.yml", addresses: NetworkRegistry.all.addresses)
      return nil
    } catch {
      return error
    }
  }

  /// Writes an invented thread and a page about the site, for a first look at the program.
  ///
  /// - Returns: the names of the files.
  package func createSample() throws(PipelineError) -> [String] {
    let page = "pages/about.md"
    let language = choices.language.prefix { $0 != "-" } == "en" ? "" : "language: en\n"
    let text = """
      ---
      menu: true
      \(language)---
      # About

      I keep my threads on this site. This page is the file `pages/about.md`: replace its text with your own.

      """
    let thread = Self.sample
    do {
      try FileSystem.makeFolders(folder + "/pages")
      try AtomicFile.write(Array(text.utf8), to: "\(folder)/\(page)")
      try ThreadStore(folder: folder + "/threads").save(thread)
    } catch let error as ThreadStoreError {
      throw PipelineError(error)
    } catch {
      throw PipelineError(.io, ["\(error)"])
    }
    return [page]
  }

  /// The URL of the sample's first post.
  package static let sampleURL = "https://social.example/@sample/1001"

  private static var sample: Conversation {
    let server = "social.example"
    let network = Platform(rawValue: "mastodon")
    let author = AuthorID("1", by: server, on: network)
    let ids = (1001...1004).map { PostID("\($0)", by: server, on: network) }
    var conversation = Conversation(id: ids[0], authorID: author)
    var person = Author(id: author, handle: "sample", name: "A sample")
    person.url = "https://social.example/@sample"
    conversation.authors = [person]
    let texts = [
      "This sample shows how threads look here. It is invented: replace it with threads of your own.",
      "Every post is a section of the page. The date below it is a permalink.",
      "The first sentence is the title. To change it, run `threadsite title`. Tags become lists: #sample",
      "Your own threads come from an archive (`threadsite import`) or from their URLs (`threadsite add`). Then remove this one: threadsite remove \(sampleURL)",
    ]
    for (position, text) in texts.enumerated() {
      let tag = text.unicodeScalars.count - "#sample".unicodeScalars.count
      let entities =
        text.hasSuffix("#sample")
        ? [TextEntity(tag..<text.unicodeScalars.count, .hashtag(tag: "sample", url: nil))] : []
      var post = Post(id: ids[position], authorID: author, text: InlineText(text, entities: entities))
      post.conversationID = ids[0]
      post.createdAt = Timestamp(seconds: 1_767_268_800 + Int64(position) * 60)
      post.language = "en"
      post.url = "https://social.example/@sample/\(ids[position].value)"
      if position > 0 { post.inReplyTo = ids[position - 1] }
      conversation.posts.append(post)
    }
    return conversation
  }

  /// Writes the files into a folder that is empty except for hidden files such as `.git`.
  ///
  /// - Returns: the names of the files.
  package func create() throws(PipelineError) -> [String] {
    try check()
    let starter =
      SiteConfig.starter(title: choices.title, language: choices.language, theme: choices.theme)
      + (forge?.configuration.map { "\n" + $0 } ?? "")
    var files: [(String, String)] = []
    if FileSystem.kind(of: folder + "/.gitignore") == .nothing {
      files.append(
        (
          ".gitignore",
          "# The built site and threadsite's working files.\n"
            + "/site/\n/.site.staging/\n/.threadsite/\n\n"
            + "# Exports contain messages for few people, lists show what you like, and tokens are secret: keep them out of version control.\n"
            + "/*.zip\n/*.tar.gz\n/*.tgz\n/*.car\n/twitter-*/\n/archive-*/\n/outbox.json\n/notes-*.json\n"
            + "/pixelfed-statuses.json\n/likes.*\n/bookmarks.*\n.env\n.env.*\n*.token\n/token*\n"
        ))
    }
    // site.yml is written last, because a folder with a site.yml counts as a site.
    files.append(("site.yml", starter))
    do {
      try FileSystem.makeFolders(folder + "/threads")
      AtomicFile.removeAbandoned(in: folder)
      for (name, text) in files { try AtomicFile.write(Array(text.utf8), to: folder + "/" + name) }
    } catch {
      throw PipelineError(.io, error)
    }
    return files.map(\.0) + ["threads/"]
  }

  /// Whether the entry is an empty folder for threads, which an interrupted `init` leaves.
  private func isEmptyStore(_ name: String) -> Bool {
    name == "threads" && (try? FileSystem.names(in: "\(folder)/\(name)").isEmpty) == true
  }

  /// Checks that the folder can become a site.
  package func check() throws(PipelineError) {
    guard !isBesideFiles else { return }
    if FileSystem.kind(of: folder) == .file {
      throw PipelineError(
        .io, ["\(folder): error: this is a file. Use the path of a new folder: `threadsite init my-threads`."]
      )
    }
    // If the folder cannot be listed, writing the first file fails with the reason.
    let names = ((try? FileSystem.names(in: folder)) ?? []).filter {
      !PathText.isHidden($0) && !isEmptyStore($0) && $0 != archive
    }
    guard names.isEmpty else {
      throw PipelineError(
        .io,
        [
          "\(folder): error: this folder is not empty (\(names.sorted().prefix(3).joined(separator: ", "))). "
            + "Use a new folder: `threadsite init my-threads`."
        ])
    }
  }
}
