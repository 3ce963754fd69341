import Basics
import ThreadModel

extension Post {
  /// Creates the post of an event.
  ///
  /// - Parameters:
  ///   - votes: the votes of a poll; empty if none are known.
  ///   - observedAt: when a poll's votes were read.
  ///   - name: returns the name of an account by its public key; `nil` if it is unknown.
  init(
    _ event: NostrEvent, votes: [NostrEvent], observedAt: Timestamp?, name: @escaping (String) -> String?
  ) {
    let descriptions = NostrMedia.descriptions(in: event)
    let descriptionOf = Dictionary(descriptions, uniquingKeysWith: { first, _ in first })
    let text = NostrText(of: event, imeta: Set(descriptionOf.keys), name: name)
    let place = NostrPlace(event)
    var post = Facts(id: NostrID.post(of: event), authorID: NostrID.author(event.author), text: text.text)
    post.createdAt = Timestamp(seconds: event.createdAt)
    post.inReplyTo = place.parent
    post.inReplyToAuthor = place.parentAuthor.map(NostrID.author)
    post.conversationID = place.root ?? (place.parent == nil ? post.id : nil)
    post.url = NostrLinks().url(of: post.id, handle: NostrID.name(ofKey: event.author))
    let quotes = NostrThreads.quoted(by: event, in: text)
    post.quotes = quotes.first { $0 != post.id }
    if event.hasTitle { post.title = event.value("title").map { $0.onOneLine(atMost: 500) } }
    var media = text.media
    if event.kind == NostrEvent.Kind.picture { media += descriptions.map(\.url) }
    if event.kind == NostrEvent.Kind.article, let cover = event.value("image"), NostrMedia.isFile(cover) {
      media.insert(cover, at: 0)
    }
    var seen: Set<String> = []
    post.media = media.filter { seen.insert($0).inserted }.prefix(NostrMedia.most).compactMap { url in
      // The picture of an article may have a URL of any form.
      NostrMedia.attachment(
        url, descriptionOf[url], altText: text.altTexts[url],
        isPicture: event.kind == NostrEvent.Kind.article)
    }
    post.emoji = text.text.emoji
    let warning = NostrWarning(event)
    (post.contentWarning, post.isSensitive) = (warning.reason, warning.isSensitive)
    if event.kind == NostrEvent.Kind.poll {
      post.poll = Poll(event, votes: votes, observedAt: observedAt)
      post.emoji = Set(
        post.emoji
          + (post.poll?.options ?? []).flatMap {
            InlineText($0.label, marking: event.emoji).emoji
          }
      ).sorted { ($0.shortcode, $0.url) < ($1.shortcode, $1.url) }
    }
    if event.coordinate != nil { post.addTimes(of: event) }
    self.init(post)
  }
}

extension Post.Facts {
  /// Adds the times of a version of an article. Each version is an observation at the time of its event, so that the newest one replaces the
  /// others, in whatever order they are read.
  fileprivate mutating func addTimes(of event: NostrEvent) {
    let version = Timestamp(seconds: event.createdAt)
    let published = event.value("published_at").flatMap(Int64.init).flatMap { seconds in
      (0...event.createdAt).contains(seconds) ? Timestamp(seconds: seconds) : nil
    }
    createdAt = published ?? version
    if createdAt != version { editedAt = version }
    observedAt = version
  }
}

extension NostrEvent {
  /// Whether events of this kind have titles.
  fileprivate var hasTitle: Bool { kind == Kind.article || kind == Kind.picture }
}

/// The warning before an event (NIP-36).
private struct NostrWarning {
  /// The reason that the author states.
  let reason: String?
  /// Whether the author warns without a reason.
  let isSensitive: Bool

  init(_ event: NostrEvent) {
    let isWarned = event.tags.contains { $0.first == "content-warning" }
    let label = event.values("l").first { $0.count > 1 && $0[$0.startIndex + 1] == "content-warning" }?.first
    let stated = isWarned || label != nil ? event.value("content-warning") ?? label : nil
    reason = stated.map { $0.onOneLine(atMost: 500) }.flatMap { $0.isEmpty ? nil : $0 }
    isSensitive = isWarned && reason == nil
  }
}

extension Poll {
  private static let mostOptions = 100

  /// Creates the poll of an event (NIP-88).
  fileprivate init?(_ event: NostrEvent, votes events: [NostrEvent], observedAt: Timestamp?) {
    var positions: [String: Int] = [:]
    var options: [PollOption] = []
    for option in event.values("option").prefix(Self.mostOptions) where option.count > 1 {
      let (id, label) = (option[option.startIndex], option[option.startIndex + 1])
      guard positions[id] == nil else { continue }
      positions[id] = options.count
      options.append(PollOption(label.onOneLine(atMost: 500)))
    }
    guard !options.isEmpty else { return nil }
    self.init(options: options)
    allowsMultiple = event.value("polltype") == "multiplechoice"
    if let end = event.value("endsAt").flatMap(Int64.init), (0...NostrEvent.Limits.latest).contains(end) {
      endsAt = Timestamp(seconds: end)
    }
    if let endsAt, let observedAt { status = endsAt <= observedAt ? .closed : .open }
    guard !events.isEmpty else { return }
    // The latest vote of each account counts.
    var latest: [String: NostrEvent] = [:]
    for vote in events where endsAt.map({ Timestamp(seconds: vote.createdAt) <= $0 }) ?? true {
      if let known = latest[vote.author], (known.createdAt, vote.id) > (vote.createdAt, known.id) { continue }
      latest[vote.author] = vote
    }
    var counts = [Int](repeating: 0, count: options.count)
    var people = 0
    for vote in latest.values {
      let responses = vote.values("response").compactMap(\.first)
      let chosen = Set(responses.prefix(allowsMultiple ? responses.count : 1).compactMap { positions[$0] })
      for position in chosen { counts[position] += 1 }
      if !chosen.isEmpty { people += 1 }
    }
    for (position, count) in counts.enumerated() { self.options[position].votes = count }
    voters = people
  }
}

extension String {
  /// Returns the text on one line, without marks that change the direction of the text after it.
  ///
  /// - Parameter most: the maximum number of scalars.
  func onOneLine(atMost most: Int) -> String {
    let words = TextControls.withoutDirections(self).unicodeScalars.split {
      $0.properties.isWhitespace || TextControls.isUnfit($0)
    }
    return String(
      String.UnicodeScalarView(words.map { String($0) }.joined(separator: " ").unicodeScalars.prefix(most)))
  }
}
