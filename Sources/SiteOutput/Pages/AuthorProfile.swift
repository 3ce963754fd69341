import Basics
import InterfaceText
import Templates
package import ThreadModel

/// The author's data that only their own page shows. A site has one profile per author, however many threads they wrote.
package struct AuthorProfile: Sendable {
  package var author: AuthorSummary
  /// Other accounts of the same person, whose threads this page also lists.
  package var accounts: [AuthorSummary] = []
  package var avatar: SummaryImage?
  package var bio: InlineText?
  /// The pictures of emoji in the bio, by short code.
  package var bioEmoji: [String: SummaryImage] = [:]
  package var location: String?
  /// The URL of the author's own site.
  package var website: String?
  package var joined: Timestamp?
  package var isVerified = false
  package var followers: Int?
  package var following: Int?
  package var posts: Int?
  /// When this data was fetched.
  package var observed: Timestamp?
  /// Some accounts that follow the author.
  package var knownFollowers: [Follower] = []

  /// An account that follows an author.
  package struct Follower: Sendable {
    package var name: String
    /// The pictures of emoji in the name, by short code.
    package var emoji: [String: SummaryImage] = [:]
    package var handle: String?
    package var url: String?
    package var avatar: SummaryImage?

    package init(name: String, handle: String?, url: String?, avatar: SummaryImage?) {
      self.name = name
      self.handle = handle
      self.url = url
      self.avatar = avatar
    }
  }

  package init(author: AuthorSummary) { self.author = author }

  /// The pictures that the author's page shows.
  var pictures: [SummaryImage] {
    ([avatar] + knownFollowers.map(\.avatar)).compactMap(\.self) + author.emoji.values + bioEmoji.values
      + knownFollowers.flatMap(\.emoji.values)
  }

  /// The hosts of the pictures that the author's page loads from other servers.
  package var mediaHosts: Set<String> { Set(pictures.compactMap(\.host)) }
}

extension PageRenderer {
  /// Returns the values of an author for the `author` layout.
  func profileValues(_ group: SiteIndex.AuthorGroup, links: LinkRoot) -> TemplateValue {
    let author = group.author
    var values: TemplateObject = [
      "name": .text(author.name),
      "name_html": .markup(author.nameHTML(links)),
      "handle": .text(author.handle.map { "@" + $0.asHandle } ?? ""),
      "url": .text(links.href(author.path)),
      "profile_url": author.url.flatMap(WebAddress.safe).map { .text($0) } ?? .missing,
      "network": .text(author.platform.displayName),
      "threads": .text(site.localization.number(group.threads.count)),
      "threads_text": .text(site.localization.count(group.threads.count, .countThreads)),
    ]
    values["initial"] = .initial(
      theme.showsAvatars && group.profile?.avatar == nil ? group.author.name : nil)
    values["years"] = group.span.map { .text(years($0)) } ?? .missing
    guard let profile = group.profile else { return .object(values) }
    values["accounts"] = .list(
      profile.accounts.map { account in
        [
          "handle": .text(account.handle.map { "@" + $0.asHandle } ?? account.name),
          "profile_url": account.url.flatMap(WebAddress.safe).map { .text($0) } ?? .missing,
          "network": .text(account.platform.displayName),
        ]
      })
    values["avatar"] = .picture(profile.avatar, links)
    values["verified"] = .bool(profile.isVerified)
    values["bio_html"] = group.bio(links).map { .markup($0) } ?? .missing
    values["location"] = profile.location.map { .text($0) } ?? .missing
    if let url = profile.website.flatMap(WebAddress.safe) {
      values["website"] = ["url": .text(url), "text": .text(Self.shortAddress(url))]
    }
    values["joined"] = .date(profile.joined, site.calendar.month)
    values["observed"] = .date(profile.observed, site.calendar.day)
    values["has_details"] = .bool(
      profile.location != nil || profile.website.flatMap(WebAddress.safe) != nil || profile.joined != nil)
    let counts = countValues(of: profile)
    values["counts"] = .list(counts)
    values["has_counts"] = .bool(!counts.isEmpty)
    values["followers"] = .list(profile.knownFollowers.map { followerValues($0, links) })
    values["has_followers"] = .bool(!profile.knownFollowers.isEmpty)
    return .object(values)
  }

  /// Returns the years of a time span: `2021`, `2019–2024`.
  private func years(_ span: ClosedRange<Timestamp>) -> String {
    let (from, to) = (site.calendar.civil(span.lowerBound).year, site.calendar.civil(span.upperBound).year)
    let format = site.calendar.format
    return from == to ? format.year(from) : format.year(from) + "–" + format.year(to)
  }

  private func countValues(of profile: AuthorProfile) -> [TemplateValue] {
    let counts: [(Int?, StringKey)] = [
      (profile.followers, .followers), (profile.following, .following), (profile.posts, .posts),
    ]
    return counts.compactMap { number, key in
      guard let number, number >= 0 else { return nil }
      return [
        "number": .text(site.localization.number(number)),
        "name": .text(site.localization.count(number, key)),
      ]
    }
  }

  private func followerValues(_ follower: AuthorProfile.Follower, _ links: LinkRoot) -> TemplateValue {
    [
      "name": .text(follower.name),
      "name_html": .markup(InlineHTML.name(follower.name, follower.emoji, links)),
      "handle": follower.handle.map { .text("@" + $0.asHandle) } ?? .missing,
      "url": follower.url.flatMap(WebAddress.safe).map { .text($0) } ?? .missing,
      "avatar": .picture(follower.avatar, links),
    ]
  }

  /// Returns a URL in short form: `ada.example/notes` for `https://www.ada.example/notes/`.
  static func shortAddress(_ url: String) -> String {
    var rest = url[...]
    rest = rest.without(bytePrefix: "https://") ?? rest.without(bytePrefix: "http://") ?? rest
    rest = rest.without(bytePrefix: "www.") ?? rest
    return TextControls.withoutDirections(rest.without(byteSuffix: "/") ?? rest)
  }

  /// Returns the hosts of the pictures that an index page loads from other servers, sorted.
  func mediaHosts(of page: IndexPage, in index: SiteIndex) -> [String] {
    var hosts: Set<String> = []
    switch page.kind {
    case .author(let position): hosts = index.authors[position].profile?.mediaHosts ?? []
    case .authors:
      hosts = Set(index.authors.compactMap { $0.profile?.avatar?.host })
      for group in index.authors { hosts.formUnion(group.author.emojiHosts) }
    case .collection(let position): hosts = index.collections[position].collection.mediaHosts
    case .home where page.number == 1:
      hosts = Set(page.threads.compactMap { index.avatar(of: $0)?.host })
      if !index.hasSeveralAuthors, let author = index.authors.first {
        hosts.formUnion(AboutSite.mediaHosts(author))
      }
      for group in Self.authorsOnHome(of: index) {
        hosts.formUnion(group.author.emojiHosts)
        if let host = group.profile?.avatar?.host { hosts.insert(host) }
      }
    default: hosts = Set(page.threads.compactMap { index.avatar(of: $0)?.host })
    }
    // Each thread in the list shows its author's name with emoji, and its picture if the theme shows pictures in lists.
    for thread in page.threads {
      hosts.formUnion(index.threads[thread].author.emojiHosts)
      if theme.showsCardImages, let host = index.threads[thread].thumbnail?.host { hosts.insert(host) }
    }
    return hosts.sorted()
  }
}

extension AuthorSummary {
  /// Returns the name as HTML, with the pictures of its emoji.
  func nameHTML(_ links: LinkRoot) -> UTF8Buffer { InlineHTML.name(name, emoji, links) }

  /// The hosts of the emoji pictures that pages with this name load.
  var emojiHosts: [String] { emoji.isEmpty ? [] : emoji.values.compactMap(\.host) }
}

extension TemplateValue {
  /// Returns the replacement for a missing picture of a person: the first letter or digit of their name; missing if the name has neither.
  static func initial(_ name: String?) -> TemplateValue {
    guard let letter = name?.first(where: { $0.isLetter || $0.isNumber }) else { return .missing }
    return .text(letter.uppercased())
  }

  /// Returns an object with the `url` of a picture; missing if the picture is `nil`.
  static func picture(_ picture: SummaryImage?, _ links: LinkRoot) -> TemplateValue {
    picture.map { ["url": .text($0.href(links))] } ?? .missing
  }
}
