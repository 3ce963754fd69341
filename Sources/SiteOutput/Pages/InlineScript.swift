import Basics
import Foundation
import SiteConfig
import Templates

/// The script `head.js` of a theme. It is placed inside each page before the style sheet, so that it runs before the first paint without a
/// request. The page's policy contains the script's digest, which allows exactly these bytes.
package struct InlineScript: Sendable, Equatable {
  /// The file's name within the theme's folder.
  static let file = "head.js"

  /// The text between the script tags.
  package let text: String
  /// The script as a source in a policy: `'sha256-…'` (CSP 3, section 2.3.1).
  package let source: String

  /// - Parameter file: the script's file, for error messages.
  init(_ bytes: some Sequence<UInt8>, file: String) throws(SiteOutputError) {
    // Line ends are normalized as in a browser (HTML, 13.2.3.5), because the digest is computed from the normalized text.
    let text = String(decoding: Array(bytes), as: UTF8.self).replacing("\r\n", with: "\n").replacing(
      "\r", with: "\n")
    let folded = text.lowercased()
    for end in ["</script", "<script", "<!--"] {
      guard let place = folded.firstRange(of: end) else { continue }
      let line = folded[..<place.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
      throw .badTheme(
        file: "\(file):\(line)",
        problem: "an inline script cannot contain \"\(end)\"; split the text in two.")
    }
    guard !text.utf8.contains(0) else {
      throw .badTheme(file: file, problem: "an inline script cannot contain the character U+0000.")
    }
    self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    source = "'sha256-\(Data(SHA256.hash(Array(self.text.utf8))).base64EncodedString())'"
  }
}

extension Theme {
  /// The name of the template value that contains the script.
  static let inlineScriptName = "head_script"

  /// Returns the theme's head script, if its layouts use it and the site wants it; otherwise `nil`.
  package func inlineScript(on site: SiteFacts) -> InlineScript? {
    site.config.readingControls && layouts.mentions(Self.inlineScriptName) ? headScript : nil
  }
}
