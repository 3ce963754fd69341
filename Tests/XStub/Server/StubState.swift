import Foundation

/// The mutable state of a running stub, protected by one lock.
struct StubState {
  var world: StubWorld
  var behaviour: StubBehaviour
  var log: [LoggedRequest] = []
  var violations: [String] = []
  var faults: [PlannedFault] = []
  var windows: [StubEndpoint: RateWindow] = [:]
  var pages = Pages()
  var lastSearchAll: Date?
  var drawn: [String: StubFile] = [:]

  struct PlannedFault {
    var endpoint: StubEndpoint?
    /// A text that the path must contain, for requests for files.
    var path: String?
    var fault: StubFault
    /// The number of requests that succeed before the fault.
    var passing: Int
    var times: Int
  }

  /// Returns the fault for a request, and counts the request for it.
  mutating func takeFault(for endpoint: StubEndpoint?, path: String) -> StubFault? {
    for index in faults.indices {
      let planned = faults[index]
      guard planned.times > 0, planned.endpoint == nil || planned.endpoint == endpoint else { continue }
      if let part = planned.path, !path.contains(part) { continue }
      if planned.passing > 0 {
        faults[index].passing -= 1
        continue
      }
      if planned.times < .max { faults[index].times -= 1 }
      return planned.fault
    }
    return nil
  }

  /// Returns a file of the world, or a drawn file, which is kept.
  mutating func file(at path: String, size: String?) -> StubFile? {
    if let file = world.files[path] { return file }
    let key = "\(path)?\(size ?? "")"
    if let file = drawn[key] { return file }
    let file = StubMediaFiles.file(at: path, size: size)
    drawn[key] = file
    return file
  }
}

/// The rest of a rate limit, and the time when it is reset.
struct RateWindow {
  var limit: Int
  var remaining: Int
  var resetsAt: Date

  /// The headers of X. The time of the reset is in seconds since 1970, rounded up, so that a client that waits until then is not too early.
  var headers: [String: String] {
    [
      "x-rate-limit-limit": "\(limit)", "x-rate-limit-remaining": "\(max(0, remaining))",
      "x-rate-limit-reset": "\(Int(resetsAt.timeIntervalSince1970.rounded(.up)))",
    ]
  }
}

extension StubState {
  /// Counts a request; `isAllowed` is `false` if the limit of the window is used up.
  mutating func count(_ endpoint: StubEndpoint) -> (isAllowed: Bool, window: RateWindow) {
    let now = behaviour.now
    var window =
      windows[endpoint]
      ?? RateWindow(limit: endpoint.limit, remaining: endpoint.limit, resetsAt: now.addingTimeInterval(900))
    if window.resetsAt <= now {
      window = RateWindow(
        limit: endpoint.limit, remaining: endpoint.limit, resetsAt: now.addingTimeInterval(900))
    }
    let isAllowed = window.remaining > 0
    if isAllowed { window.remaining -= 1 }
    windows[endpoint] = window
    return (isAllowed, window)
  }
}
