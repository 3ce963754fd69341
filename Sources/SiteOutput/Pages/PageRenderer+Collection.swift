import Templates
import UTF8Text

extension PageRenderer {
  /// A collection as its own page and the list of collections show it.
  func collectionValues(_ group: SiteIndex.CollectionGroup, links: LinkRoot) -> TemplateValue {
    [
      "title": .text(group.collection.title), "url": .text(links.href(group.collection.path)),
      "introduction_html": group.collection.introduction.isEmpty
        ? .missing : .markup(group.collection.introduction),
      "threads": .integer(group.threads.count),
      "threads_text": .text(Plural.text(group.threads.count, "thread")),
    ]
  }
}
