package import SiteOutput

/// What publishing changes at a place.
package struct SiteDifference: Sendable {
  package private(set) var added: [ListedFile] = []
  package private(set) var changed: [ListedFile] = []
  /// What the site had and has no more.
  package private(set) var removed: [SitePath] = []
  package private(set) var unchanged = 0

  /// - Parameter there: the digests of the site's files at the place.
  package init(of listing: SiteListing, from there: [SitePath: String]) {
    var rest = there
    for file in listing.files {
      switch rest.removeValue(forKey: file.path) {
      case nil: added.append(file)
      case file.digest?: unchanged += 1
      default: changed.append(file)
      }
    }
    removed = rest.keys.sorted()
  }

  /// What is known where a program of others compares.
  package init(added: [ListedFile], changed: [ListedFile], removed: [SitePath], unchanged: Int) {
    self.added = added
    self.changed = changed
    self.removed = removed
    self.unchanged = unchanged
  }

  package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
  /// How many files of the site are at the place now.
  package var filesThere: Int { changed.count + removed.count + unchanged }
  /// Bytes of what is sent.
  package var bytes: Int { (added + changed).reduce(0) { $0 + $1.size } }

  /// What is sent, in an order in which nothing is there before what it leads to.
  package var uploads: [[ListedFile]] {
    var steps = [[ListedFile]](repeating: [], count: SitePath.Role.allCases.count)
    for file in added + changed { steps[file.path.role.rawValue].append(file) }
    return steps.filter { !$0.isEmpty }
  }
}
