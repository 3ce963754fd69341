import Foundation

/// A piece of work whose cost must not grow faster than its input.
///
/// `Tests/Growth/run` runs each claim under callgrind at three sizes, each twice the one before, and computes the exponent from
/// the counted instructions. The functions that mark the measured part are calls of the C library that no other code makes:
/// callgrind starts to count at `getsid` and writes its counts at `getppid`.
struct Claim: Sendable {
  let name: String
  /// The smallest of the three sizes. If something bounds the cost, such as a limit on the length of quotes, this size must be
  /// beyond the bound.
  let first: Int
  /// The size at which the depth of the stack is measured. It is much larger than the counted sizes.
  let deepest: Int
  private let measure: @Sendable (_ size: Int) throws -> Void

  /// - Parameters:
  ///   - prepare: Makes the input for a size; it is not measured.
  ///   - work: The measured work. The input and everything made from it are released afterwards.
  init<Input>(
    _ name: String, first: Int = 100, deepest: Int = 16_000,
    prepare: @escaping @Sendable (Int) throws -> Input, work: @escaping @Sendable (Input) throws -> Void
  ) {
    self.name = name
    self.first = first
    self.deepest = deepest
    measure = { size in
      let input = try prepare(size)
      try withExtendedLifetime(input) {
        _ = getsid(0)
        try work(input)
        _ = getppid()
      }
    }
  }

  /// Bytes that the files of the largest size may take.
  static let space = 512 << 20

  /// Runs the work once.
  func run(size: Int) throws { try measure(size) }
}

/// The work of a claim did not do what the claim measures.
struct ClaimError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
