import Basics

/// The state of the preview: the number of the current build, and the problems of the last build.
///
/// A page contains the number of the build from which it was served. From the state alone, a page can determine whether it is up to date,
/// whether only style sheets have changed since, and which messages to show. So a page that missed events while it was hidden, or while the
/// machine slept, is correct again after the first state that it receives.
package struct PreviewState: Sendable {
  /// Distinguishes this run of the program from other runs on the same port.
  package let session: String
  /// The number of successful builds; 0 before the first one.
  package private(set) var build = 0
  /// The number of the last build that changed more than style sheets.
  package private(set) var reload = 0
  /// The folder of the site; `nil` before the first successful build.
  package private(set) var output: String?
  /// The path of the site on its host, from `base_url`; begins and ends with a slash.
  package private(set) var basePath = "/"
  /// The error messages if the last build failed; otherwise `nil`.
  package private(set) var messages: [String]?

  package init(session: String) { self.session = session }

  /// Records a successful build.
  package mutating func show(output: String, basePath: String, onlyStylesChanged: Bool) {
    let isWholePageNew = self.output == nil || !onlyStylesChanged || basePath != self.basePath
    build += 1
    if isWholePageNew { reload = build }
    self.output = output
    self.basePath = basePath
    messages = nil
  }

  /// Records a failed build; the site of the previous build stays.
  package mutating func show(messages: [String]) { self.messages = messages }

  /// The state as it is sent to pages.
  var json: JSONValue {
    [
      "session": .string(session), "build": .integer(Int64(build)), "reload": .integer(Int64(reload)),
      "messages": messages.map { .array($0.map { .string($0) }) } ?? .null,
    ]
  }
}
