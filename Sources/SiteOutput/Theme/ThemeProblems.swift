/// The problems of a theme, collected so that its author sees all of them at once.
struct ThemeProblems {
  private var errors: [SiteOutputError] = []

  mutating func add(_ error: SiteOutputError) { errors.append(error) }

  /// Returns the value of `work`; `nil` if it throws, after recording the error.
  mutating func value<Value>(_ work: () throws(SiteOutputError) -> Value) -> Value? {
    do {
      return try work()
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Throws the recorded errors as one error, if any.
  func throwAll() throws(SiteOutputError) {
    guard let first = errors.first else { return }
    guard errors.count > 1 else { throw first }
    throw .template(errors.map(\.description).joined(separator: "\n"))
  }
}
