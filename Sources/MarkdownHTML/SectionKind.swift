/// What a pair of markers stands for in HTML. The names are those in the components' templates.
enum SectionKind: CaseIterable {
  case post, header, text, images, video, audio, embed, poll, card, gap, pause, branch, answers, context,
    permalink,
    note,
    reply, replies, byline, metrics, introduction, afterword, remark, warning, sensitive

  /// Found by bytes and length: a document has hundreds of markers.
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

  /// `nil` for sections that are only their figures.
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
    // They look like other notes where a style sheet says nothing else.
    case .introduction: "note introduction"
    case .afterword: "note afterword"
    case .remark: "note remark"
    default: name
    }
  }

  /// What stands before the id that the marker gives; `nil` for markers that give none.
  var idStart: StaticString? {
    switch self {
    // A reply is a post as well, and a link to it need not know which.
    // A header's is the first post's, whose first words are the heading.
    case .post, .reply, .header: "post-"
    case .branch: "branch-"
    default: nil
    }
  }

  /// Whether its marker has to give an id.
  var needsID: Bool { idStart != nil && self != .header }

  /// Whether it holds the site's words and none of an author's, but for a title.
  var isInWords: Bool {
    switch self {
    case .header, .gap, .pause, .note, .permalink, .metrics, .introduction, .afterword, .remark: true
    default: false
    }
  }

  /// Whether it holds words of the site's owner.
  var isOwners: Bool { self == .introduction || self == .afterword || self == .remark }

  /// Whether what stands in it outside of the sections within is the site's words.
  var holdsWords: Bool {
    switch self {
    case .branch, .answers, .replies, .context, .poll, .embed, .reply, .warning, .sensitive: true
    default: false
    }
  }

  /// Said beside the text by who made the page, which screen readers may announce.
  var isNote: Bool { self == .gap || self == .pause || self == .note || isOwners }

  /// Repeated beside every post for the eye, and kept from screen readers: they know whose thread it is, and would hear the
  /// name again and again. So it should hold nothing that takes the focus.
  var isDecoration: Bool { self == .byline }
}
