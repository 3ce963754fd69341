import Basics
import SiteConfig
import Templates
import ThreadModel

/// The author and the owner of a site, whom the first home page shows once: the only author with picture and bio, and the owner's links.
///
/// The owner (`author` of site.yml) and the author of the threads are different people on a site that keeps somebody else's threads.
enum AboutSite {
  /// The hosts of the pictures that the presentation of an author loads from other servers.
  static func mediaHosts(_ group: SiteIndex.AuthorGroup) -> Set<String> {
    guard let profile = group.profile else { return [] }
    return Set(([profile.avatar].compactMap(\.self) + profile.bioEmoji.values).compactMap(\.host))
  }

  /// Returns whether the owner is the author: both have the same name, or the owner names one of the author's accounts.
  static func isSamePerson(_ owner: SiteFacts.Owner, _ group: SiteIndex.AuthorGroup) -> Bool {
    let accounts = [group.author] + (group.profile?.accounts ?? [])
    let addresses = Set(([owner.url] + owner.profiles).compactMap { $0.map(comparable) })
    return accounts.contains { account in
      account.name == owner.name || account.url.map { addresses.contains(comparable($0)) } == true
    }
  }

  /// Returns a URL in a form in which two spellings of the same profile are equal.
  static func comparable(_ url: String) -> String { PageRenderer.shortAddress(url).lowercased() }
}

extension PageRenderer {
  /// Returns the author and the owner of the site for the first home page; missing if there is nothing to show.
  func aboutValues(in index: SiteIndex, _ links: LinkRoot) -> TemplateValue {
    let only = index.authors.count == 1 ? index.authors.first : nil
    let isSame = only.map { author in site.owner.map { AboutSite.isSamePerson($0, author) } ?? true } ?? false
    let ofOwner = site.owner.map(ownerLinks) ?? []
    var values = TemplateObject()
    if let only {
      var author = briefValues(only, links, where: { _ in true })
      let known = Set((isSame ? ofOwner : []).map { AboutSite.comparable($0.url) })
      let accounts = ([only.author] + (only.profile?.accounts ?? [])).compactMap { account in
        account.url.flatMap(WebAddress.safe).map {
          (url: $0, text: Self.shortAddress($0), isMe: false)
        }
      }
      add(
        (isSame ? ofOwner : []) + accounts.filter { !known.contains(AboutSite.comparable($0.url)) },
        to: &author)
      values["author"] = .object(author)
    }
    if let owner = site.owner, !isSame {
      var shown: TemplateObject = ["name": .text(owner.name)]
      add(ofOwner, to: &shown)
      values["owner"] = .object(shown)
    }
    return only == nil && (site.owner == nil || isSame) ? .missing : .object(values)
  }

  /// Returns the owner's page and profiles. The home page vouches for both with `rel="me"`.
  private func ownerLinks(_ owner: SiteFacts.Owner) -> [(url: String, text: String, isMe: Bool)] {
    let home = site.baseURL.map(AboutSite.comparable)
    return ([owner.url] + owner.profiles).compactMap { url in
      guard let url, AboutSite.comparable(url) != home else { return nil }
      return (url, Self.shortAddress(url), true)
    }
  }

  private func add(_ links: [(url: String, text: String, isMe: Bool)], to values: inout TemplateObject) {
    values["links"] = .list(
      links.map { ["url": .text($0.url), "text": .text($0.text), "me": .bool($0.isMe)] })
    values["has_links"] = .bool(!links.isEmpty)
  }
}
