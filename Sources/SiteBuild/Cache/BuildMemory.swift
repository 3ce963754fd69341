import Basics
import Synchronization

/// The data of the last build of a site, which a running program keeps for its next build.
package final class BuildMemory: Sendable {
  /// The state of the site after a build.
  struct Known: Sendable {
    let path: String
    /// The signature of the file with the state. If another program has written the file, the state is not used.
    let signature: FileSignature
    /// The size of the file when it contained no changes, in bytes.
    let wholeSize: Int
    let state: BuildCache.State
    /// The inputs that were loaded for the build; `nil` if they are not kept.
    let loaded: LoadedSite?
    /// Whether the site was as the state describes it when this program last changed it or looked at it.
    var isIntact: Bool
  }

  private struct Content {
    var known: Known?
    var inputs: BuildInputs?
  }

  private let content = Mutex(Content())

  package init() {}

  /// Returns the state in a file.
  func known(at path: String, _ signature: FileSignature?) -> Known? {
    content.withLock { content in
      content.known.flatMap { $0.path == path && $0.signature == signature ? $0 : nil }
    }
  }

  func remember(_ known: Known?) { content.withLock { $0.known = known } }

  /// Records whether all files of the site are as the state describes them.
  func note(isIntact: Bool) { content.withLock { $0.known?.isIntact = isIntact } }

  /// Returns the signatures of the inputs of the last build, even of a failed one, and forgets them until the next call of ``note(_:)``.
  func takeInputs() -> BuildInputs? {
    content.withLock { content in
      defer { content.inputs = nil }
      return content.inputs
    }
  }

  /// Forgets the signatures of the inputs, because not all later changes are known.
  package func forgetInputs() { _ = takeInputs() }

  func note(_ inputs: BuildInputs) { content.withLock { $0.inputs = inputs } }
}
