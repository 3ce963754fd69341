import Upkeep

/// The table of `threadsite list`.
enum ThreadTable {
  private static let gap = "  "
  /// A title is never cut to fewer columns than these, even if the lines are then longer than the terminal.
  private static let narrowestTitle = 16

  /// - Parameter width: the number of columns of the terminal, which cuts titles and leaves out pages; `nil` if there is no terminal.
  static func text(of threads: [CatalogEntry], width: Int?) -> String {
    let rows = threads.map { thread in
      [
        thread.shortID, thread.beganOn ?? "unknown", String(thread.posts),
        thread.state.rawValue + (thread.isWhole ? "" : ", incomplete"),
      ]
    }
    let widths =
      rows.first.map { row in row.indices.map { column in rows.map { $0[column].count }.max() ?? 0 } } ?? []
    let room = width.map {
      max(narrowestTitle, $0 - widths.reduce(0, +) - widths.count * gap.count)
    }
    return zip(threads, rows).map { thread, row in
      var cells = row.enumerated().map { column, text in
        let blanks = String(repeating: " ", count: widths[column] - text.count)
        // Numbers are right-aligned.
        return column == 2 ? blanks + text : text + blanks
      }
      if let room {
        cells.append(cut(thread.title, to: room))
      } else {
        cells += [thread.title, thread.page ?? thread.file]
      }
      return cells.joined(separator: gap)
    }.joined(separator: "\n")
  }

  /// Returns as much of a title as fits, with an ellipsis if it is cut.
  private static func cut(_ title: String, to room: Int) -> String {
    guard TerminalText.columns(of: title) > room else { return title }
    var width = 1
    let fitting = title.prefix { character in
      width += TerminalText.columns(of: String(character))
      return width <= room
    }
    return fitting + "…"
  }
}
