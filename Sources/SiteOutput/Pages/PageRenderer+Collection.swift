import Templates
import UTF8Text
import Wording

extension PageRenderer {
  /// A collection as its own page and the list of collections show it.
  func collectionValues(_ group: SiteIndex.CollectionGroup, links: LinkRoot) -> TemplateValue {
    [
      "title": .text(group.collection.title), "url": .text(links.href(group.collection.path)),
      "introduction_html": group.collection.introduction.isEmpty
        ? .missing : .markup(group.collection.introduction),
      "threads": .text(site.wording.number(group.threads.count)),
      "threads_text": .text(site.wording.count(group.threads.count, .countThreads)),
    ]
  }
}
