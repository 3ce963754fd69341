package import SiteOutput

/// The changes that publishing makes at a destination.
package struct SiteDifference: Sendable {
  package private(set) var added: [ListedFile] = []
  package private(set) var changed: [ListedFile] = []
  /// Files that were published and are no longer part of the site.
  package private(set) var removed: [SitePath] = []
  package private(set) var unchanged = 0

  /// - Parameter there: the digests of the site's files at the destination.
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

  /// Creates a difference from the output of an external program that compares the files.
  package init(added: [ListedFile], changed: [ListedFile], removed: [SitePath], unchanged: Int) {
    self.added = added
    self.changed = changed
    self.removed = removed
    self.unchanged = unchanged
  }

  package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
  /// The number of the site's files at the destination before publishing.
  package var filesThere: Int { changed.count + removed.count + unchanged }
  /// The number of bytes to send.
  package var bytes: Int { (added + changed).reduce(0) { $0 + $1.size } }

  /// The files to send, in steps: every file is sent after the files to which it links.
  package var uploads: [[ListedFile]] {
    var steps = [[ListedFile]](repeating: [], count: SitePath.Role.allCases.count)
    for file in added + changed { steps[file.path.role.rawValue].append(file) }
    return steps.filter { !$0.isEmpty }
  }
}
