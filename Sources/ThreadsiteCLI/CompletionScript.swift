import Basics

/// Adds the topics of `threadsite help` to the completion scripts that the argument parser generates.
///
/// The parser generates the scripts for its own `help`, which knows only commands.
enum CompletionScript {
  /// The option of `threadsite` that prints a script.
  static let option = "--generate-completion-script"

  /// The replaced and the new text in the script of each shell; a script without the text is unchanged.
  private static let changes = [
    // bash
    (
      "__threadsite_offer_flags_options -1\n}\n\ncomplete ",
      "__threadsite_offer_flags_options 1\n    __threadsite_add_completions -W \"$(threadsite help --topics)\"\n}\n\ncomplete "
    ),
    // zsh
    ("'*:subcommands:'", "':topic:{compadd -- ${(f)\"$(threadsite help --topics)\"}}'"),
  ]

  /// The line for fish, whose scripts are lists of independent lines.
  private static let fish =
    "\ncomplete -c 'threadsite' -n '__fish_seen_subcommand_from help' -fa '(threadsite help --topics)'"

  static func addingTopics(to script: String) -> String {
    if script.contains("complete -c 'threadsite'") { return script + fish }
    return changes.reduce(script) { $0.replacing($1.0, with: $1.1) }
  }
}
