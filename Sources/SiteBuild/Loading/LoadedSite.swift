package import InterfaceText
import NetworkSources
import SiteConfig
package import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
package import ThreadStore

/// The inputs of a build besides the configuration. The conversations are read later, one by one.
package struct LoadedSite: Sendable {
  package let localization: Localization
  let components: ThreadComponents
  let theme: Theme
  let themeOptions: ThemeOptionValues
  /// The owner's pages.
  let pages: OwnPages
  /// The preview image of pages without a picture.
  let image: PreviewImage?
  /// The entries of the navigation.
  let menu: [MenuEntry]
  let permalinks: Permalinks
  /// The links to archived copies; `nil` if the site has none.
  let archived: ArchivedLinks?
  /// The webmentions that the site shows.
  let webMentions: [WebMention]
  /// The files in the store's listing, except for those that are left out.
  package var files: [StoredFile]
  /// The authors of the files, as each file names its author.
  var writers: ThreadAuthors
  /// The accounts of these authors, joined as site.yml specifies.
  package var authors: AuthorDirectory
  /// The threads that failed and that are left out of the site.
  var leftOut: [ThreadFailure] = []

  /// Returns the facts about the site that its pages, lists and feeds show.
  package func facts(of site: SiteFolder) -> SiteFacts {
    let config = site.config
    var facts = SiteFacts(
      title: config.title, summary: config.description, localization: localization,
      baseURL: config.baseURL?.description, calendar: calendar(of: site),
      threadsPerPage: config.pagination.perPage)
    facts.themeOptions = themeOptions
    facts.menu = menu
    facts.networks = site.networks.networks.map { (name: $0.platform.displayName, links: $0.links) }
      .sorted { $0.name < $1.name }
    if let account = config.publish?.atproto?.account, let base = facts.baseURL, !config.noindex {
      facts.standardSite = StandardSite(
        account: account, baseURL: base, links: site.networks.networks.map(\.links))
    }
    facts.config = config
    facts.image = image
    facts.owner = config.author.map {
      SiteFacts.Owner(
        name: $0.name, url: $0.url?.description, profiles: $0.profiles.map(\.description))
    }
    return facts
  }

  /// Returns the calendar with the site's time zone and language.
  func calendar(of site: SiteFolder) -> SiteCalendar { site.calendar.written(in: localization.dates) }
}
