package import InterfaceText
package import SiteOutput
package import SiteWorkspace
package import ThreadMarkdown
package import ThreadModel

/// The title of a thread's page, and the facts that determine whether the page may keep a URL derived from an earlier title.
package struct PageTitle {
  package let text: String
  /// The title derived from the thread itself; `nil` if its owner chose one.
  package let made: ThreadTitle?
  /// Set if posts of the thread were removed after the network removed them, or are hidden. Their words must not stay in the page's URL.
  package let lostWords: Permalinks.LostWords?

  package init(
    of thread: UnrolledThread, of conversation: Conversation, settings: ThreadSelection.Settings,
    in localization: Localization, by calendar: SiteCalendar
  ) {
    let own = PlainText.nonEmptyLine(settings.title)
    let losesWords = conversation.hasRemovedPosts || !settings.hidden.isEmpty
    let made =
      own == nil || losesWords ? ThreadTitle(of: thread, in: localization, by: calendar) : nil
    text = own ?? made?.text ?? ""
    self.made = own == nil ? made : nil
    lostWords = losesWords ? Permalinks.LostWords(beginning: made?.text ?? "") : nil
  }
}

extension Permalinks {
  /// Returns the page of a conversation: with the owner's slug if there is one; otherwise the recorded page; otherwise a new page.
  package func page(of stem: String, _ title: PageTitle, slug: String?) -> SitePath {
    page(of: stem, title: title.text, slug: slug, losingWords: title.lostWords)
  }
}
