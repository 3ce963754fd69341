import Basics
import InterfaceText
import MarkdownHTML
import SiteBuild
import SiteConfig
import Templates
import ThreadMarkdown
import ThreadModel

/// A renderer of threads as Markdown and HTML, with the same templates as a site.
///
/// A renderer can be used for many threads, concurrently. Equal threads produce equal bytes.
public struct ThreadRenderer: Sendable {
  private let components: ThreadComponents
  private let localization: Localization

  /// - Parameters:
  ///   - resources: The folder that contains threadsite's `templates` and `themes`: a checkout, or `share/threadsite` of an installation.
  ///     The default is ``ThreadsiteResources/find()``.
  ///   - language: The language of words that are not part of the thread, such as "Poll", as a BCP 47 tag for which `templates/strings` has
  ///     a file.
  /// - Throws: ``ThreadsiteError`` with file, line and column if templates or words are missing or invalid.
  public init(resources: String? = nil, language: String = "en") throws(ThreadsiteError) {
    let resources = try ThreadsiteResources.folder(resources)
    do {
      let templates = FileSystem.withoutLinks(resources) + "/templates"
      localization = try LoadedLocalization(language: language, folders: [templates + "/strings"])
        .localization
      var sources: [TemplateSource] = []
      for name in ThreadComponents.templateNames {
        let file = "\(templates)/\(name).mustache"
        sources.append(
          TemplateSource(
            name: name, file: file, text: String(decoding: try FileBytes.read(file), as: UTF8.self)))
      }
      components = try ThreadComponents(
        templates: TemplateSet(kind: .markdown, sources, words: TemplateWords(localization.words)))
    } catch {
      throw ThreadsiteError(error is FileError ? .file : .configuration, error)
    }
  }

  /// Returns the title that a site gives to the thread: the headline or the first sentence of its first post with words, or the author and
  /// the day in the renderer's language.
  public func title(of thread: PostThread) -> String {
    ThreadTitle(of: thread.unrolled, in: localization, by: .utc).text
  }

  /// Returns the thread as a CommonMark document with front matter, as sites publish it beside each page. Pictures and videos link to their network.
  public func markdown(of thread: PostThread) throws(ThreadsiteError) -> String {
    let document = try document(of: thread)
    return document.published(with: try html(of: document)).string
  }

  /// Returns the thread as the body of an HTML page: a heading, then a section for each post. The authors' texts are escaped, so that no
  /// script in them is executed.
  public func html(of thread: PostThread) throws(ThreadsiteError) -> String {
    try html(of: document(of: thread)).whole.string
  }

  private func html(of document: ThreadDocument) throws(ThreadsiteError) -> DocumentHTML {
    var options = HTMLOptions(media: document.media)
    options.wordsLanguage = localization.language
    if let texts = document.language, !localization.isWritten(in: texts) {
      options.languages = DocumentLanguages(texts: texts, words: localization.language)
    }
    do {
      return try MarkdownHTML.render(document.body, options: options)
    } catch {
      throw ThreadsiteError(.configuration, error)
    }
  }

  private func document(of thread: PostThread) throws(ThreadsiteError) -> ThreadDocument {
    let title = ThreadTitle(of: thread.unrolled, in: localization, by: .utc)
    var meta = ThreadMeta(
      title: title.text, tags: ThreadTags.make(from: thread.unrolled), source: thread.unrolled.sourceURL)
    meta.titleSource = title.source
    do {
      return try components.render(
        thread.unrolled, meta: meta, options: MarkdownOptions(localization: localization))
    } catch {
      throw ThreadsiteError(.configuration, error)
    }
  }
}
