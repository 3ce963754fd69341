import SiteOutput

/// The media that pages of the site show.
struct PageMedia: Sendable {
  /// The files of the store's media folder.
  var files: Set<String> = []
  /// The hosts of external media.
  var hosts: Set<String> = []
  var missingAltTexts = 0

  mutating func add(_ thread: BuiltThread) {
    files.formUnion(thread.mediaFiles)
    hosts.formUnion(thread.page.mediaHosts)
    missingAltTexts += thread.missingAltTexts
  }

  mutating func add(_ other: PageMedia) {
    files.formUnion(other.files)
    hosts.formUnion(other.hosts)
    missingAltTexts += other.missingAltTexts
  }
}
