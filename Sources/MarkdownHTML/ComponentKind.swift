/// The components of a thread's document. This is the only list of them: each has one case and one entry.
///
/// A component is written by the template of its name, such as `templates/poll.mustache`. In the document, a pair of markers with the same name
/// encloses it, and in HTML it becomes a section:
///
///     <!-- poll -->                    <div class="poll">
///                                      <ul>
///     - Yes                     →      <li>Yes</li>
///                                      </ul>
///     <!-- /poll -->                   </div>
package enum ComponentKind: Int, CaseIterable, Sendable {
  case header, note, context, post, text, images, video, audio, attachment, poll, card, embed, quote,
    permalink, gap, pause, branch, answers, replies, reply, introduction, afterword, remark, warning,
    sensitive, byline, metrics

  private var entry: Entry {
    switch self {
    case .header: Entry("header", "header", className: "thread-header", idStart: "post-", words: .only)
    case .note: Entry("note", words: .only, role: .note)
    case .context: Entry("context", words: .some)
    case .post: Entry("post", "section", idStart: "post-")
    case .text: Entry("text", className: "post-text")
    case .images: Entry("images", holdsFigures: true)
    case .video: Entry("video", nil, holdsFigures: true)
    case .audio: Entry("audio", nil, holdsFigures: true)
    case .attachment: Entry("attachment", isSection: false)
    case .poll: Entry("poll", words: .some)
    case .card: Entry("card")
    case .embed: Entry("embed", words: .some)
    case .quote: Entry("quote", isSection: false)
    case .permalink: Entry("permalink", "footer", words: .only)
    case .gap: Entry("gap", words: .only, role: .note)
    case .pause: Entry("pause", words: .only, role: .note)
    case .branch: Entry("branch", "section", idStart: "branch-", words: .some)
    case .answers: Entry("answers", "section", words: .some)
    case .replies: Entry("replies", "section", words: .some)
    // Replies are also posts, so that a link needs no other prefix for them.
    case .reply: Entry("reply", "article", idStart: "post-", words: .some)
    // The owner's texts look like other notes unless a style sheet distinguishes them.
    case .introduction:
      Entry("introduction", "aside", className: "note introduction", words: .only, role: .owners)
    case .afterword: Entry("afterword", "aside", className: "note afterword", words: .only, role: .owners)
    case .remark: Entry("remark", "aside", className: "note remark", words: .only, role: .owners)
    case .warning: Entry("warning", words: .some)
    case .sensitive: Entry("sensitive", words: .some)
    // The template of posts may write these two.
    case .byline: Entry("byline", hasTemplate: false, role: .decoration)
    case .metrics: Entry("metrics", hasTemplate: false, words: .only)
    }
  }

  private static let entries = allCases.map(\.entry)

  /// The properties of a component in templates and in HTML.
  private struct Entry: Sendable {
    let name: StaticString
    let hasTemplate: Bool
    let isSection: Bool
    let element: StaticString?
    let className: StaticString
    let idStart: StaticString?
    let words: Words
    let role: Role
    let holdsFigures: Bool

    /// - Parameter className: the name if it is `nil`.
    init(
      _ name: StaticString, _ element: StaticString? = "div", className: StaticString? = nil,
      hasTemplate: Bool = true, isSection: Bool = true, idStart: StaticString? = nil, words: Words = .none,
      role: Role = .none, holdsFigures: Bool = false
    ) {
      self.name = name
      self.hasTemplate = hasTemplate
      self.isSection = isSection
      self.element = element
      self.className = className ?? name
      self.idStart = idStart
      self.words = words
      self.role = role
      self.holdsFigures = holdsFigures
    }
  }

  /// Whether a section contains the site's wording, not counting the sections within it.
  private enum Words: Sendable {
    case none
    /// Beside texts of authors.
    case some
    /// It contains no text of an author except a title.
    case only
  }

  private enum Role: Sendable {
    case none
    /// A note by the page's maker beside the text, which screen readers may announce.
    case note
    /// A note with a text by the site's owner.
    case owners
    /// Repeated beside every post for visual orientation only, and hidden from screen readers, which would otherwise read the name again
    /// and again. It should contain nothing focusable.
    case decoration
  }

  // MARK: - Templates

  /// The name of the template and of the markers.
  package var name: String { "\(self)" }

  package var hasTemplate: Bool { Self.entries[rawValue].hasTemplate }

  /// Whether a pair of markers encloses the component.
  package var isSection: Bool { Self.entries[rawValue].isSection }

  /// The names of sections by their lengths in bytes. A document has hundreds of markers.
  private static let sections: [[(name: StaticString, kind: ComponentKind)]] = {
    var sections: [[(name: StaticString, kind: ComponentKind)]] = []
    for (index, entry) in entries.enumerated() where entry.isSection {
      guard let kind = ComponentKind(rawValue: index) else { continue }
      while sections.count <= entry.name.utf8CodeUnitCount { sections.append([]) }
      sections[entry.name.utf8CodeUnitCount].append((entry.name, kind))
    }
    return sections
  }()

  /// Finds the section with a marker's name.
  init?(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
    guard name.count < Self.sections.count else { return nil }
    for section in Self.sections[name.count]
    where section.name.withUTF8Buffer({ name.elementsEqual($0) }) {
      self = section.kind
      return
    }
    return nil
  }

  /// The section's element; `nil` for sections that consist only of their figures.
  var element: StaticString? { Self.entries[rawValue].element }

  /// The section's class.
  var className: StaticString { Self.entries[rawValue].className }

  /// The prefix of the id in the opening marker; `nil` for markers without an id.
  var idStart: StaticString? { Self.entries[rawValue].idStart }

  /// Whether the opening marker must have an id. A header's marker may have one: the id of the first post, if its first words are the
  /// heading.
  var needsID: Bool { idStart != nil && self != .header }

  /// Whether paragraphs that contain only images become figures here.
  var holdsFigures: Bool { Self.entries[rawValue].holdsFigures }

  /// Whether it contains only the site's wording, and no text of an author except a title.
  var isInWords: Bool { Self.entries[rawValue].words == .only }

  /// Whether it contains the site's wording beside texts of authors, not counting the sections within it.
  var mixesWords: Bool { Self.entries[rawValue].words == .some }

  /// Whether it contains a text of the site's owner.
  var isOwners: Bool { Self.entries[rawValue].role == .owners }

  /// Whether screen readers may announce it as a note.
  var isNote: Bool { [.note, .owners].contains(Self.entries[rawValue].role) }

  /// Whether it is hidden from screen readers.
  var isDecoration: Bool { Self.entries[rawValue].role == .decoration }
}
