import SiteOutput
import Synchronization

/// The pages of other threads that one thread links to: what "threads that quote this one" is made of, the other way round.
final class LinkedPages: Sendable {
  private let pages = Mutex<Set<SitePath>>([])

  func add(_ page: SitePath) { pages.withLock { _ = $0.insert(page) } }

  var all: Set<SitePath> { pages.withLock { $0 } }
}
