import Basics
import Foundation
import Templates

/// A theme's `head.js`: a script that stands within each page, before the style sheet, so that nothing is painted before it ran and nothing is
/// asked for. A page's policy names it by its digest, which allows these bytes and no others.
package struct InlineScript: Sendable, Equatable {
  /// The file of a theme, beside its theme.yml.
  static let file = "head.js"

  /// What stands between the tags.
  package let text: String
  /// As a source of a policy: `'sha256-…'` (CSP 3, section 2.3.1).
  package let source: String

  /// - Parameter file: where the script is from, for errors.
  init(_ bytes: some Sequence<UInt8>, file: String) throws(SiteOutputError) {
    // As a browser reads it (HTML, 13.2.3.5), or the digest would be of something else.
    let text = String(decoding: Array(bytes), as: UTF8.self).replacing("\r\n", with: "\n").replacing(
      "\r", with: "\n")
    let folded = text.lowercased()
    for end in ["</script", "<script", "<!--"] {
      guard let place = folded.firstRange(of: end) else { continue }
      let line = folded[..<place.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
      throw .badTheme(
        file: "\(file):\(line)",
        problem: "a script within a page cannot hold \"\(end)\": write it in two pieces.")
    }
    guard !text.utf8.contains(0) else {
      throw .badTheme(file: file, problem: "a script within a page cannot hold the character U+0000.")
    }
    self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    source = "'sha256-\(Data(SHA256.hash(Array(self.text.utf8))).base64EncodedString())'"
  }
}

extension Theme {
  /// The value that gives a layout the script.
  static let inlineScriptName = "head_script"

  /// The script of the theme's head, where its layouts have a place for it and the site wants it.
  package func inlineScript(on site: SiteFacts) -> InlineScript? {
    site.wantsReadingControls && layouts.mentions(Self.inlineScriptName) ? headScript : nil
  }
}

extension PageRenderer {
  /// What stands in the head of every page.
  var inlineScript: InlineScript? { theme.inlineScript(on: site) }
}
