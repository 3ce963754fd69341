package import HTTPTransport
package import ThreadModel
package import ThreadStore

/// Brings photos, sounds, posters, avatars, emoji, pictures of link cards and, where wanted, videos into the store, and tells conversations of
/// their copies.
///
/// Many conversations may be mirrored at the same time: transfers stay within one limit, and an address is fetched once. What
/// the store has is not fetched again, nor what an interrupted run had brought. A file that cannot be had is
/// reported, and stops nothing.
///
/// Smaller copies of a photo are those that its network gives (`PhotoSizes`). Nothing is scaled here: to decode a photo is
/// a task for a program that may crash without harm.
package struct MediaMirror: Sendable {
  package let vault: MediaVault
  let transport: any HTTPTransport
  let options: MediaMirrorOptions
  let transfers: MediaTransfers
  private var wishes: MediaWishList { MediaWishList(videos: options.videos) }

  /// - Parameter progress: called one at a time, from any thread, whenever a file is done with.
  package init(
    store: ThreadStore, transport: any HTTPTransport, options: MediaMirrorOptions = MediaMirrorOptions(),
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) throws(MediaError) {
    vault = try MediaVault(store: store, limits: options.limits)
    self.transport = transport
    self.options = options
    transfers = MediaTransfers(
      atOnce: options.atOnce, journal: SourceJournal("\(vault.folder)/\(IncomingFolder.name)/sources"),
      report: progress)
  }

  /// The conversation with all copies that can be had. Where the task is cancelled, that is what is there by then.
  package func mirror(_ conversation: Conversation) async -> (conversation: Conversation, report: MediaReport)
  {
    let (granted, report) = await grant(wishes.wishes(of: conversation))
    var result = conversation
    wishes.fill(&result, from: granted)
    return (result, report)
  }

  /// The profile with its avatars, its followers' too.
  package func mirror(_ profile: Profile) async -> (profile: Profile, report: MediaReport) {
    var authors = [profile.author] + profile.followers
    let (granted, report) = await grant(wishes.wishes(of: authors))
    wishes.fill(&authors, from: granted)
    var result = profile
    result.author = authors.removeFirst()
    result.followers = authors
    return (result, report)
  }

  /// Mirrors many conversations, some at the same time, none longer in memory than it takes.
  ///
  /// - Parameters:
  ///   - load: the conversation of an item; `nil` passes it over.
  ///   - done: is given each conversation once, as it is afterwards, and whether that is something new.
  package func mirror<Item: Sendable>(
    _ items: [Item], load: @escaping @Sendable (Item) async -> Conversation?,
    done: @escaping @Sendable (Item, Conversation, _ isChanged: Bool) async -> Void
  ) async -> MediaReport {
    await withTaskGroup(of: MediaReport.self) { group in
      var total = MediaReport()
      for (index, item) in items.enumerated() where !Task.isCancelled {
        if index >= options.atOnce, let report = await group.next() { total.add(report) }
        group.addTask {
          guard let conversation = await load(item) else { return MediaReport() }
          let (result, report) = await mirror(conversation)
          await done(item, result, result != conversation)
          return report
        }
      }
      for await report in group { total.add(report) }
      return total
    }
  }

  private func grant(_ wishes: [MediaWish]) async -> ([MediaWish: GrantedWish], MediaReport) {
    let distinct = Set(wishes)
    await transfers.want(distinct.count)
    var granted: [MediaWish: GrantedWish] = [:]
    var report = MediaReport()
    await withTaskGroup(of: (MediaWish, GrantedWish?, MediaReport).self) { group in
      for wish in distinct {
        group.addTask {
          let (result, report) = await grant(wish)
          await transfers.finish(failed: result == nil, bytes: report.bytes)
          return (wish, result, report)
        }
      }
      for await (wish, result, part) in group {
        granted[wish] = result
        report.add(part)
      }
    }
    if report.fetched > 0 { await flush(&report) }
    return (granted, report)
  }

  private func flush(_ report: inout MediaReport) async {
    let vault = vault
    let failure: MediaFailure? = await FileWork.run {
      do throws(MediaError) {
        try vault.flush()
        return nil
      } catch {
        return MediaFailure(url: vault.folder, reason: error.description, isPassing: true, isOfDisk: true)
      }
    }
    if let failure { report.failures.append(failure) }
  }
}
