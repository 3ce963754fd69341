import NetworkSources
package import SiteConfig
package import ThreadModel

extension XThreads {
  /// Looks up every known post of some conversations, a hundred a request across them all: counts, polls and edits come up to
  /// date, and posts that X no longer shows are removed or marked.
  ///
  /// A post is gone where X says so: of the post, or of its author. One that X neither shows nor speaks of is left alone, as
  /// silence may be a fault as well as an end; the notes name it. A post that X withholds in some countries and still shows
  /// is not gone. The conversations come back in their order; those of which every post was asked for have a new
  /// `checkedAt`.
  package func recheck(_ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion = .remove) async
    -> XFetched
  {
    var run = run
    var known: Set<String> = []
    let ids = conversations.flatMap(\.knownIDs).filter { known.insert($0).inserted }
    await run.lookUp(inOrder: ids)
    // Edits that came after the versions known.
    let later = ids.compactMap { run.gathering[$0]?.versions.last }
    await run.lookUp(later.filter { run.gathering[$0]?.id != $0 })
    if onDeleted == .remove {
      await run.lookUp(users: XDepartures.authorsUnseen(of: conversations, in: run.gathering))
    }
    let departures = XDepartures(of: conversations, in: run.gathering)
    let selections = conversations.map { departures.selection($0, in: run.gathering) }
    let fresh = run.gathering.answers.conversations(selections)
    var result = run.result([])
    let departed = departures.departures(at: now)
    result.conversations = zip(conversations, fresh).map { old, fresh in
      departed.apply(
        to: old, fresh: fresh, onDeleted, isWhole: old.knownIDs.allSatisfy(run.gathering.answered.contains))
    }
    result.failure = run.stop ?? run.trouble
    result.notes += departures.notes
    return result
  }
}

extension Conversation {
  /// Ids of all posts here that X may be asked about, those beside the conversation included.
  var knownIDs: [String] {
    (posts + related).filter { $0.id.platform == .x }.map(\.id.value)
  }
}
