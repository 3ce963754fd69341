/// A site.yml which cannot be used: everything that is wrong with it at once, in the order of its lines,
/// with the warnings that were found on the way.
package struct SiteConfigError: Error, Sendable, Equatable, CustomStringConvertible {
  package let problems: [ConfigProblem]

  package init(problems: [ConfigProblem]) {
    self.problems = problems
  }

  /// All problems, one after the other.
  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// What is wrong with one value, as a sentence, before it is known where the value stands.
///
/// In a site.yml it becomes a ``ConfigProblem``; a command-line option reports it under its own name.
package struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }

  package var description: String { message }
}

/// One thing that is wrong, or doubtful, in a site.yml: where it stands, and what to write instead.
///
/// Its description is what a terminal shows, in the form that editors and CI understand:
/// ```
/// site.yml:12:5: error: threads[2].titel: unknown key "titel"; did you mean "title"?
///     titel: A better title
///     ^
/// ```
package struct ConfigProblem: Sendable, Equatable {
  package enum Severity: String, Sendable {
    /// The site cannot be built as the file says.
    case error
    /// The site can be built, but probably not as its owner means.
    case warning
  }

  /// A place in the file.
  package struct Location: Sendable, Equatable {
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in Unicode scalars, as libyaml counts.
    package let column: Int
    /// The line's text without its line break, with anything that looks like a secret masked.
    package let sourceLine: String

    package init(line: Int, column: Int, sourceLine: String) {
      self.line = line
      self.column = column
      self.sourceLine = sourceLine
    }
  }

  /// The file's name, as the caller gave it.
  package let file: String
  /// `nil` for what concerns the file as a whole, such as that it is missing.
  package let location: Location?
  /// Such as `threads[2].tags`, lists counted from 0; empty where no key is concerned.
  package let keyPath: String
  /// What is wrong and what to do about it; never holds a secret.
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
  /// `site.yml:12:5`; the file's name alone for what concerns all of it.
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
  /// The longest piece of a line that is shown, in Unicode scalars.
  private static var width: Int { 160 }

  /// The source line, cut to what a terminal can show around the column, and the line with the caret.
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

  /// As many blanks as terminals give to a scalar: two for East Asian wide characters and emoji, none for
  /// marks that combine with the character before.
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
