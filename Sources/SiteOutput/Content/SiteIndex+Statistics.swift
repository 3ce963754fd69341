import ThreadModel

extension SiteIndex {
  /// Fewer threads say nothing as numbers: they are read sooner.
  private static let leastThreadsForStatistics = 10

  /// Where the statistics of the site are, or of an author; `nil` where there is not enough to count.
  ///
  /// A site of one author has one page: the author's would be the same.
  func statisticsPath(ofAuthor author: Int? = nil) -> SitePath? {
    guard let author, authors.count > 1 else {
      return threads.count < Self.leastThreadsForStatistics ? nil : "statistics/"
    }
    let group = authors[author]
    return group.threads.count < Self.leastThreadsForStatistics
      ? nil : group.author.path.appending("statistics/")
  }

  /// All pages of statistics that there is enough for: of the site, then of authors by their places.
  var statisticsPages: [(author: Int?, path: SitePath)] {
    var pages: [(author: Int?, path: SitePath)] = statisticsPath().map { [(nil, $0)] } ?? []
    guard authors.count > 1 else { return pages }
    for author in authors.indices {
      if let path = statisticsPath(ofAuthor: author) { pages.append((author, path)) }
    }
    return pages
  }

  /// When posts were written: of the whole site, or of an author.
  func counts(ofAuthor author: Int?) -> PostCounts { author.map { authors[$0].counts } ?? counts }

  /// Those of the threads that have most of something, most first, and the newest first where they have the same.
  ///
  /// - Parameters:
  ///   - positions: of threads, the newest first.
  ///   - value: `nil` for a thread that should not be among them.
  func top(_ limit: Int, of positions: [Int], by value: (ThreadSummary) -> Int?) -> [(
    thread: Int, value: Int
  )] {
    var best: [(thread: Int, value: Int)] = []
    for position in positions {
      guard let number = value(threads[position]), best.count < limit || number > best[limit - 1].value else {
        continue
      }
      let place = best.firstIndex { $0.value < number } ?? best.count
      best.insert((position, number), at: place)
      if best.count > limit { best.removeLast() }
    }
    return best
  }
}
