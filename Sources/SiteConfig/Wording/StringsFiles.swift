import Files
import ThreadModel
import UTF8Text
package import Wording

/// The words of a site, read from the strings files of all folders that have some.
package struct LoadedWording: Sendable {
  package let wording: Wording
  /// What is doubtful: a language that nobody has words for, words that are not translated.
  package let warnings: [String]
  /// The words that files of the site or its theme add or change, with where that is.
  package let places: [String: ConfigProblem]
}

/// The strings files that one language's words come from: `<language>.yml` in each of several folders, where a later one
/// changes single words of an earlier one, and English before all, for what is not translated.
struct StringsFiles {
  /// The language whose words all others fall back upon.
  static let fallback = "en"

  /// A file that was read.
  struct Layer {
    let tag: String
    let file: String
    let content: StrictYAML<StringsFile>

    func problem(_ keyPath: String, _ message: String, _ severity: ConfigProblem.Severity = .error)
      -> ConfigProblem
    {
      ConfigProblem(
        file: file, location: content.locations[keyPath], keyPath: keyPath, message: message,
        severity: severity)
    }
  }

  /// The language asked for.
  let language: String
  let folders: [String]
  /// In the order in which they count: a later one before an earlier one.
  private(set) var layers: [Layer] = []

  init(language: String, folders: [String]) throws(SiteConfigError) {
    self.language = language
    self.folders = folders
    var problems: [ConfigProblem] = []
    for tag in Self.tags(of: language) {
      for folder in folders {
        do throws(SiteConfigError) {
          if let layer = try Self.read(tag, in: folder) { layers.append(layer) }
        } catch {
          problems += error.problems
        }
      }
    }
    guard problems.isEmpty else { throw SiteConfigError(problems: problems) }
  }

  /// From the general to the special: `en`, `zh`, `zh-Hant`, `zh-Hant-TW`.
  private static func tags(of language: String) -> [String] {
    let parts = language.split(separator: "-")
    let own = parts.indices.map { parts[...$0].joined(separator: "-") }
    return own.first == fallback ? own : [fallback] + own
  }

  private static func read(_ tag: String, in folder: String) throws(SiteConfigError) -> Layer? {
    let file = "\(folder)/\(tag).yml"
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(file)
    } catch {
      if error.kind == .missing { return nil }
      let message =
        error.kind == .link
        ? "\(error.path) is a symbolic link, and nothing is read through one: put the file or folder itself there"
        : "the file cannot be read: \(error.reason)"
      throw SiteConfigError(problems: [ConfigProblem(file: file, location: nil, message: message)])
    }
    return Layer(
      tag: tag, file: file,
      content: try StrictYAML<StringsFile>.decode(bytes: bytes, file: file, kind: "strings file"))
  }

  /// Those of the language itself, and not of the one that it falls back upon.
  var ownLayers: [Layer] {
    language.split(separator: "-").first.map { $0 == Self.fallback } ?? false
      ? layers : layers.filter { $0.tag != Self.fallback }
  }

  var fallbackLayers: [Layer] { layers.filter { $0.tag == Self.fallback } }
}
