import Templates
import ThreadModel

extension ThreadComposer {
  /// Another continuation that the author wrote, below the post where it parts from the main line.
  mutating func branch(_ branch: SideBranch, author: Author) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.items(branch.items, author: author)
    }
    try append(
      .branch,
      [
        "anchor": .text(MarkdownPieces.anchor(branch.label)), "label": .text(branch.label),
        "content": .markup(inside),
      ])
  }
}
