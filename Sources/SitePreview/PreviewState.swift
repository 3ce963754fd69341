import Basics

/// What the preview shows at the moment: which build, and what is wrong since.
///
/// A page carries the number of the build that it was served from. From the state alone it can tell whether it is the newest, whether
/// only style sheets have changed since, and what to show over itself; so a page that missed something while it was hidden, or while
/// the machine slept, is right again with the first state that it hears of.
package struct PreviewState: Sendable {
  /// Tells one run of the program from the next on the same port.
  package let session: String
  /// Counts the builds that went well; none, as long as it is 0.
  package private(set) var build = 0
  /// The last build that changed more than style sheets.
  package private(set) var reload = 0
  /// The folder of the site, once there is one.
  package private(set) var output: String?
  /// Where the site stands on its host, as `base_url` says; begins and ends with a slash.
  package private(set) var basePath = "/"
  /// What is wrong, if the last build failed.
  package private(set) var messages: [String]?

  package init(session: String) { self.session = session }

  /// A build went well.
  package mutating func show(output: String, basePath: String, onlyStylesChanged: Bool) {
    let isWholePageNew = self.output == nil || !onlyStylesChanged || basePath != self.basePath
    build += 1
    if isWholePageNew { reload = build }
    self.output = output
    self.basePath = basePath
    messages = nil
  }

  /// A build failed: what was built before stays.
  package mutating func show(messages: [String]) { self.messages = messages }

  /// What pages are told.
  var json: JSONValue {
    [
      "session": .string(session), "build": .integer(Int64(build)), "reload": .integer(Int64(reload)),
      "messages": messages.map { .array($0.map { .string($0) }) } ?? .null,
    ]
  }
}
