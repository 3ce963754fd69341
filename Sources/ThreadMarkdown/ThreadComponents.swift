package import Templates
package import ThreadModel
import UTF8Text

/// The components that a thread is made of, each with its template: threads in, CommonMark documents out.
///
/// Made once for a site and used from all workers: rendering reads nothing but this and its arguments.
package struct ThreadComponents: Sendable {
  /// The names of all templates, one a component, as in `templates/<name>.mustache`.
  package static let templateNames: [String] = ComponentName.allCases.map(\.rawValue)

  let templates: TemplateSet

  /// - Parameter templates: Templates of the kind `.markdown`; a site's own stand in it in place of ours.
  /// - Throws: Where a component has no template.
  package init(templates: TemplateSet) throws(ThreadMarkdownError) {
    for name in Self.templateNames where !templates.contains(name) { throw .missingTemplate(name) }
    self.templates = templates
  }

  /// The thread as one document. The same arguments give the same bytes.
  package func render(
    _ thread: UnrolledThread, meta: ThreadMeta, options: MarkdownOptions
  ) throws(ThreadMarkdownError) -> ThreadDocument {
    let language = LanguageTag.valid(meta.language) ?? thread.language
    var composer = ThreadComposer(
      components: self, options: options, title: PlainText.nonEmptyLine(meta.title) ?? "Thread",
      language: language,
      counters: options.stripsCounters ? CounterSequence(of: thread) : nil)
    let frontMatter = FrontMatter.of(thread, meta: meta, language: language)
    composer.output = frontMatter
    try composer.compose(thread, meta: meta)
    return composer.finish(bodyStart: frontMatter.count)
  }

  /// Appends a component, and one blank line behind it whatever its template ends with.
  func append(
    _ name: ComponentName, _ values: TemplateObject, to output: inout UTF8Buffer
  ) throws(ThreadMarkdownError) {
    let start = output.count
    do {
      try templates.render(name.rawValue, values, into: &output)
    } catch {
      throw .template(error.description)
    }
    while output.count > start, output.bytes.last == UInt8(ascii: "\n") { output.bytes.removeLast() }
    if output.count > start { output.append("\n\n" as StaticString) }
  }
}

/// A component, by the name of its template.
enum ComponentName: String, CaseIterable {
  case header, note, context, post, text, images, video, attachment, poll, card, embed, quote, permalink, gap,
    branch, answers
}
