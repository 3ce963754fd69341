package import Basics
package import Templates

/// The values that the theme's layout receives for one page.
package struct PageValues: Sendable {
  package let layout: String
  package let values: TemplateObject
  /// The values of partials that are rendered on their own, by the name of the partial.
  package var partials: [String: TemplateObject] = [:]

  /// The layout's name and all values, without missing ones.
  package var json: [String: JSONValue] {
    var members: [String: JSONValue] = ["layout": .string(layout), "values": values.json]
    if !partials.isEmpty { members["partials"] = .object(partials.mapValues(\.json)) }
    return members
  }
}

extension PageRenderer {
  /// Returns the values of a thread's page.
  ///
  /// - Parameters:
  ///   - position: the thread's index in `index.threads`.
  ///   - replies: the replies from other sites.
  package func pageValues(
    of page: ThreadPage, at position: Int, in index: SiteIndex, replies: WebReplies?
  ) -> PageValues {
    var partials: [String: TemplateObject] = [:]
    if showsRelated { partials[Self.relatedTemplate] = relatedValues(position, index) }
    if showsWebReplies, let replies {
      partials[Self.webRepliesTemplate] = webReplyValues(replies, page.summary.path)
    }
    return PageValues(layout: Self.threadLayout, values: values(of: page), partials: partials)
  }

  /// Returns the values of a list.
  package func pageValues(of page: IndexPage, in index: SiteIndex) -> PageValues {
    PageValues(layout: page.layout, values: values(of: page, ownValues(of: page, in: index), in: index))
  }

  /// Returns the values of a page that the owner wrote.
  package func pageValues(of page: OwnPage) -> PageValues {
    PageValues(layout: OwnPage.layout, values: values(of: page))
  }

  /// Returns the values of the search page; `nil` for a site without a search.
  package func searchPageValues(of index: SiteIndex) -> PageValues? {
    searchValues(of: index).map { PageValues(layout: SearchPage.layout, values: $0) }
  }
}
