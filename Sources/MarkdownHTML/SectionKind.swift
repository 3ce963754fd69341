/// The kind of a section in HTML, marked by a pair of markers. The names are those in the components' templates.
enum SectionKind: CaseIterable {
  case post, header, text, images, video, audio, embed, poll, card, gap, pause, branch, answers, context,
    permalink,
    note,
    reply, replies, byline, metrics, introduction, afterword, remark, warning, sensitive

  /// Compares bytes and lengths, as a document has hundreds of markers.
  init?(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
    for kind in Self.allCases where kind.name.utf8CodeUnitCount == name.count {
      if kind.name.withUTF8Buffer({ name.elementsEqual($0) }) {
        self = kind
        return
      }
    }
    return nil
  }

  var name: StaticString {
    switch self {
    case .post: "post"
    case .header: "header"
    case .text: "text"
    case .images: "images"
    case .video: "video"
    case .audio: "audio"
    case .embed: "embed"
    case .poll: "poll"
    case .card: "card"
    case .gap: "gap"
    case .pause: "pause"
    case .branch: "branch"
    case .answers: "answers"
    case .context: "context"
    case .permalink: "permalink"
    case .note: "note"
    case .reply: "reply"
    case .replies: "replies"
    case .byline: "byline"
    case .metrics: "metrics"
    case .introduction: "introduction"
    case .afterword: "afterword"
    case .remark: "remark"
    case .warning: "warning"
    case .sensitive: "sensitive"
    }
  }

  /// The section's element; `nil` for sections that consist of their figures only.
  var element: StaticString? {
    switch self {
    case .post, .branch, .answers, .replies: "section"
    case .reply: "article"
    case .header: "header"
    case .permalink: "footer"
    case .introduction, .afterword, .remark: "aside"
    case .video, .audio: nil
    case .text, .images, .embed, .poll, .card, .gap, .pause, .context, .note, .byline, .metrics, .warning,
      .sensitive:
      "div"
    }
  }

  var className: StaticString {
    switch self {
    case .header: "thread-header"
    case .text: "post-text"
    // They look like other notes unless a style sheet distinguishes them.
    case .introduction: "note introduction"
    case .afterword: "note afterword"
    case .remark: "note remark"
    default: name
    }
  }

  /// The prefix of the id in the marker; `nil` for markers without an id.
  var idStart: StaticString? {
    switch self {
    // Replies are posts too, so that a link needs no other prefix for them. The header's id is the first post's, whose first words are the heading.
    case .post, .reply, .header: "post-"
    case .branch: "branch-"
    default: nil
    }
  }

  /// Whether its marker must have an id.
  var needsID: Bool { idStart != nil && self != .header }

  /// Whether it contains only the site's wording, and no text of an author except a title.
  var isInWords: Bool {
    switch self {
    case .header, .gap, .pause, .note, .permalink, .metrics, .introduction, .afterword, .remark: true
    default: false
    }
  }

  /// Whether it contains a text of the site's owner.
  var isOwners: Bool { self == .introduction || self == .afterword || self == .remark }

  /// Whether it contains the site's wording, apart from the sections within it.
  var holdsWords: Bool {
    switch self {
    case .branch, .answers, .replies, .context, .poll, .embed, .reply, .warning, .sensitive: true
    default: false
    }
  }

  /// Whether it is a note by the page's maker beside the text, which screen readers may announce.
  var isNote: Bool { self == .gap || self == .pause || self == .note || isOwners }

  /// Whether it is repeated beside every post for visual orientation only, and hidden from screen readers, which would otherwise read the name again
  /// and again. It should contain nothing focusable.
  var isDecoration: Bool { self == .byline }
}
