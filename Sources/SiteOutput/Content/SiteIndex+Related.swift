/// Which other threads of the site a thread leads to: positions in `SiteIndex.threads`.
struct RelatedThreads {
  /// In the site's order.
  var newer: Int?
  var older: Int?
  /// The same among the threads of the author.
  var authorNewer: Int?
  var authorOlder: Int?
  /// Up to three by the same author, newest first: those nearest in time that are not `newer` or `older`.
  var more: [Int]
  /// Threads that quote a post of it or link to one, newest first.
  var quotedBy: [Int]
  /// The collections that it is part of, and its place there.
  var collections: [(collection: Int, place: Int)]
}

extension SiteIndex {
  /// Threads by the same author that a page shows.
  private static let mostByAuthor = 3

  func related(to position: Int) -> RelatedThreads {
    let newer = position > 0 ? position - 1 : nil
    let older = position + 1 < threads.count ? position + 1 : nil
    let place = placesInAuthors[position]
    let own = authors[place.author].threads
    func neighbour(_ offset: Int) -> Int? {
      let rank = place.rank + offset
      return own.indices.contains(rank) ? own[rank] : nil
    }
    var more: [Int] = []
    var distance = 1
    while more.count < Self.mostByAuthor, distance < own.count {
      for other in [neighbour(-distance), neighbour(distance)] {
        guard let other, other != newer, other != older, more.count < Self.mostByAuthor else { continue }
        more.append(other)
      }
      distance += 1
    }
    return RelatedThreads(
      newer: newer, older: older, authorNewer: neighbour(-1), authorOlder: neighbour(1), more: more.sorted(),
      quotedBy: quotedBy[position] ?? [], collections: memberships[position] ?? [])
  }

  /// For each thread, its author's group and its place there.
  static func places(in authors: [AuthorGroup], of count: Int) -> [(author: Int, rank: Int)] {
    var places = Array(repeating: (author: 0, rank: 0), count: count)
    for (author, group) in authors.enumerated() {
      for (rank, position) in group.threads.enumerated() { places[position] = (author, rank) }
    }
    return places
  }

  /// Collections with their threads as positions; one that is not among `threads` is left out.
  static func group(_ collections: [ThreadCollection], _ positions: [SitePath: Int]) -> [CollectionGroup] {
    collections.map { CollectionGroup(collection: $0, threads: $0.threads.compactMap { positions[$0] }) }
  }

  static func memberships(in collections: [CollectionGroup]) -> [Int: [(collection: Int, place: Int)]] {
    var memberships: [Int: [(collection: Int, place: Int)]] = [:]
    for (number, group) in collections.enumerated() {
      for (place, position) in group.threads.enumerated() {
        memberships[position, default: []].append((number, place))
      }
    }
    return memberships
  }

  /// Links turned around: for a thread, those that link to it.
  static func reversed(_ links: [SitePath: Set<SitePath>], _ positions: [SitePath: Int]) -> [Int: [Int]] {
    var quotedBy: [Int: [Int]] = [:]
    for (source, targets) in links {
      guard let from = positions[source] else { continue }
      for target in targets {
        if let to = positions[target], to != from { quotedBy[to, default: []].append(from) }
      }
    }
    return quotedBy.mapValues { $0.sorted() }
  }

  /// The positions of those threads that collections and links name; most sites name few.
  static func positions(
    of threads: [ThreadSummary], in collections: [ThreadCollection], _ links: [SitePath: Set<SitePath>]
  ) -> [SitePath: Int] {
    var named = Set(collections.flatMap(\.threads))
    for (source, targets) in links {
      named.insert(source)
      named.formUnion(targets)
    }
    guard !named.isEmpty else { return [:] }
    var positions: [SitePath: Int] = [:]
    for (position, thread) in threads.enumerated() where named.contains(thread.path) {
      positions[thread.path] = position
    }
    return positions
  }
}
