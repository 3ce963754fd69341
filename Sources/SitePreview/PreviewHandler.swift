import Synchronization

/// The current state of the preview, the responses to requests, and the event streams.
final class PreviewHandler: Sendable {
  private let state: Mutex<PreviewState>
  private let hosts: AllowedHosts
  let events: EventStreams

  init(_ state: PreviewState, hosts: AllowedHosts) {
    self.state = Mutex(state)
    self.hosts = hosts
    events = EventStreams(state)
  }

  /// Changes the state, and sends it to all open pages.
  func update(_ change: (inout PreviewState) -> Void) {
    let new = state.withLock { state in
      change(&state)
      return state
    }
    events.send(new)
  }

  func response(to request: PreviewRequest) -> PreviewResponse {
    // The state is read before a file is opened. So the build number in a page may be too old, which costs one unnecessary reload, but
    // never too new.
    SiteResponder(state.withLock { $0 }, hosts: hosts).response(to: request)
  }
}
