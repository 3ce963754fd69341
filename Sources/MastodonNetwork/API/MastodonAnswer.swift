package import JSONText

/// What an answer of Mastodon's API holds, where it holds statuses.
package struct MastodonAnswer: Hashable, Sendable {
  package var statuses: [MastodonStatus] = []
  /// What among them could not be taken, and why.
  package var refusals: [MastodonRefusal] = []

  /// - Parameter value: a status, a list of them, or a context.
  /// - Throws: ``MastodonRefusal`` where there is none in it.
  package init(_ value: JSONValue) throws(MastodonRefusal) {
    if let list = value.array {
      take(list)
      // An empty list is an answer, too.
      if statuses.isEmpty, let refusal = refusals.first { throw refusal }
    } else if let found = value["statuses"]?.array {
      // What a search found.
      take(found)
    } else if value["ancestors"] != nil || value["descendants"] != nil {
      take((value["ancestors"]?.array ?? []) + (value["descendants"]?.array ?? []))
    } else {
      statuses = [try MastodonStatus(value)]
    }
  }

  private mutating func take(_ values: [JSONValue]) {
    for value in values {
      do { statuses.append(try MastodonStatus(value)) } catch { refusals.append(error) }
    }
  }
}
