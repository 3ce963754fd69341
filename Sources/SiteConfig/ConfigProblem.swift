/// The error for an invalid site.yml: all its problems, including warnings, in the order of their lines.
package struct SiteConfigError: Error, Sendable, Equatable, CustomStringConvertible {
  package let problems: [ConfigProblem]

  package init(problems: [ConfigProblem]) {
    self.problems = problems
  }

  /// All problems, one after the other, separated by line breaks.
  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// The problem with one value, as a sentence without a position.
///
/// In a site.yml it becomes a ``ConfigProblem``; a command-line option reports it under the option's name.
package struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }

  package var description: String { message }
}

/// An error or a warning about a site.yml, with its position and a correction.
///
/// The description is printed to a terminal, in a form that editors and CI systems understand:
/// ```
/// site.yml:12:5: error: threads[2].titel: unknown key "titel"; did you mean "title"?
///     titel: A better title
///     ^
/// ```
package struct ConfigProblem: Sendable, Equatable {
  package enum Severity: String, Sendable {
    /// The site cannot be built from this file.
    case error
    /// The site can be built, but probably not as the owner intends.
    case warning
  }

  /// A position in the file.
  package struct Location: Sendable, Equatable {
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in Unicode scalars, as libyaml counts.
    package let column: Int
    /// The line's text without its line break, with anything that looks like a secret masked.
    package let sourceLine: String
  }

  /// The file's name, as the caller gave it.
  package let file: String
  /// `nil` for a problem of the whole file, such as a missing file.
  package let location: Location?
  /// A path such as `threads[2].tags`, with list indices from 0; empty if the problem concerns no key.
  package let keyPath: String
  /// A sentence about the problem and its correction. It never contains a secret.
  package let message: String
  package let severity: Severity

  package init(
    file: String, location: Location?, keyPath: String = "", message: String, severity: Severity = .error
  ) {
    self.file = file
    self.location = location
    self.keyPath = keyPath
    self.message = message
    self.severity = severity
  }

  package var line: Int? { location?.line }
  package var column: Int? { location?.column }
}

extension ConfigProblem: CustomStringConvertible {
  /// The position, such as `site.yml:12:5`; only the file's name for a problem of the whole file.
  package var place: String {
    location.map { "\(file):\($0.line):\($0.column)" } ?? file
  }

  package var description: String {
    var text = place
    text += ": \(severity.rawValue): "
    if !keyPath.isEmpty { text += keyPath + ": " }
    text += message
    guard let location else { return text }
    let (excerpt, caret) = location.excerpt
    return text + "\n" + excerpt + "\n" + caret
  }
}

extension ConfigProblem.Location {
  /// The highest number of Unicode scalars of a line that are shown.
  private static var width: Int { 160 }

  /// The part of the source line around the column that fits into a terminal, and a line with a caret below the column.
  fileprivate var excerpt: (line: String, caret: String) {
    let scalars = Array(sourceLine.unicodeScalars)
    let target = max(0, min(column - 1, scalars.count))
    let start = max(0, min(target - Self.width / 2, scalars.count - Self.width))
    let end = min(scalars.count, start + Self.width)
    var line = start > 0 ? "…" : ""
    var caret = start > 0 ? " " : ""
    for index in start..<end {
      let scalar = scalars[index]
      line.unicodeScalars.append(SourceText.isControl(scalar) ? "\u{FFFD}" : scalar)
      if index < target { caret += Self.blank(for: scalar) }
    }
    if end < scalars.count { line += "…" }
    return (line, caret + "^")
  }

  /// Returns spaces of the width of a scalar in a terminal: two for East Asian wide characters and emoji, none for combining marks.
  private static func blank(for scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09: "\t"
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: ""
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      "  "
    default: " "
    }
  }
}
