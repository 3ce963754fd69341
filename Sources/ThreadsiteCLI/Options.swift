import ArgumentParser
import Basics
import Foundation
import SiteConfig
import SiteWorkspace

/// The folder in which a command runs.
///
/// `Threadsite.main` reads and removes the option, because it is also permitted before the command and has to take effect before
/// anything else is read. It is declared here for the help and for completions.
struct FolderOptions: ParsableArguments {
  @Option(
    name: [.customShort("C"), .customLong("directory")],
    help: ArgumentHelp("Run in this folder instead of the current one.", valueName: "folder"),
    completion: .directory)
  var directory: String?

  /// Rejects forms of the option that ``enter(_:)`` does not recognize, such as `-C=folder` and `-qC folder`. Ignoring them would run the
  /// command on another site.
  mutating func validate() throws {
    guard let directory else { return }
    throw ValidationError(
      "The folder of -C must be a separate argument, and -C cannot be combined with other letters: write -C \(directory)."
    )
  }

  /// Enters the folders that `-C` names, one after another as in git and make.
  ///
  /// - Returns: the arguments without the option.
  static func enter(_ arguments: [String]) throws -> [String] {
    var rest: [String] = []
    var position = 0
    while position < arguments.count, arguments[position] != "--" {
      let argument = arguments[position]
      position += 1
      var folder: String
      if argument == "-C" || argument == "--directory" {
        guard position < arguments.count else { throw ValidationError("\(argument) needs a folder.") }
        folder = arguments[position]
        position += 1
      } else if argument.hasPrefix("--directory=") {
        folder = String(argument.dropFirst("--directory=".count))
      } else {
        rest.append(argument)
        continue
      }
      guard FileManager.default.changeCurrentDirectoryPath(folder) else {
        let reason = FileManager.default.fileExists(atPath: folder) ? "cannot be entered" : "does not exist"
        throw ValidationError("\(argument): the folder \(quoted(folder)) \(reason).")
      }
    }
    return rest + arguments[position...]
  }
}

/// The site on which a command works.
struct SiteOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The configuration file. The default is site.yml in the current folder or the nearest folder above it.",
      valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @OptionGroup var place: FolderOptions

  var configFile: String { config ?? SiteFolder.nearestConfiguration() ?? "site.yml" }

  /// Opens the site for a command that adds threads. Outside of a site, asks on a terminal whether to create one.
  func openForThreads(_ console: Console) throws -> SiteFolder {
    if config == nil, SiteFolder.nearestConfiguration() == nil, Terminal.canAsk {
      let folder = FileManager.default.currentDirectoryPath
      if Terminal.confirms("There is no site here. Create one in \(folder)?") {
        _ = try NewSite(folder: ".", isBesideFiles: true).create()
      }
    }
    return try open(console)
  }
}

/// The amount and the form of a command's messages.
struct MessageOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only errors and the summary.")
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
