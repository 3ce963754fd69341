import ArgumentParser
import Foundation

/// The site on which a command works.
struct SiteOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The configuration file. The default is site.yml in the current folder.", valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  var configFile: String { config ?? "site.yml" }
}

/// The amount and the form of a command's messages.
struct MessageOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print all messages and details.")
  var verbose = false

  @Flag(help: "Print the summary as JSON on standard output.")
  var json = false

  mutating func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be combined.") }
  }
}

/// A number with its noun.
enum Count {
  static func text(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `12,345`
  static func grouped(_ count: Int) -> String {
    var digits = Array(String(count))
    var place = digits.count - 3
    while place > (count < 0 ? 1 : 0) {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }
}
