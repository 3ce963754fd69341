import Basics
import Foundation
import MarkdownHTML
import Templates
import TestSupport
import ThreadMarkdown
import ThreadModel

/// The components with the project's own templates, and what tests do with them.
enum Components {
  static func sources() throws -> [TemplateSource] {
    try ThreadComponents.templateNames.map { name in
      let file = ProjectFolders.repository.appending(path: "templates/\(name).mustache")
      return TemplateSource(
        name: name, file: "templates/\(name).mustache", text: try String(contentsOf: file, encoding: .utf8))
    }
  }

  /// The project's templates with `overrides` behind them.
  static func make(_ overrides: [TemplateSource] = []) throws -> ThreadComponents {
    try ThreadComponents(templates: TemplateSet(kind: .markdown, try sources() + overrides, words: words))
  }

  static let words = TemplateWords(Localization.english.words)

  /// Compiled once for all tests.
  private static let own = Result { try make() }

  static let options = MarkdownOptions(
    localization: .english, mediaURL: { "../../media/\($0)" },
    postURL: { id, handle in "https://x.com/\(handle ?? "i")/status/\(id.value)" })

  static func render(
    _ thread: UnrolledThread, meta: ThreadMeta? = nil, options: MarkdownOptions = options,
    components: ThreadComponents? = nil
  ) throws -> ThreadDocument {
    try (try components ?? own.get()).render(
      thread,
      meta: meta
        ?? ThreadMeta(
          title: ThreadTitle(of: thread, in: .english, by: .utc).text, tags: ThreadTags.make(from: thread)),
      options: options)
  }

  /// The body as a page has it, read back by the strict tokenizer.
  static func html(of document: ThreadDocument) throws -> String {
    var html = UTF8Buffer()
    let media = document.media.mapValues { facts in
      var info = MediaInfo(
        kind: facts.kind == .video ? .video : facts.kind == .audio ? .audio : .image, width: facts.width,
        height: facts.height,
        posterURL: facts.poster, contentType: facts.contentType, isLooping: facts.isLooping,
        sources: facts.sources.map { MediaInfo.Source(url: $0.url, width: $0.width) })
      info.captions = facts.captions.map {
        MediaInfo.Captions(url: $0.url, language: $0.language, label: $0.label)
      }
      return info
    }
    try MarkdownHTML.render(document.body, options: HTMLOptions(media: media), into: &html)
    return html.string
  }

  static func tokens(of document: ThreadDocument) throws -> HTMLTokens {
    try HTMLTokens(html(of: document))
  }
}
