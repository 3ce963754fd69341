import Foundation

// growth count|stack [TEXT] [PART/PARTS] [FACTOR]
//
// Runs the claims whose name contains TEXT, or one part of them, with FACTOR times the counted sizes, and prints one line per measurement before it begins:
//   count: NAME <tab> SIZE, for callgrind (Tests/Growth/run)
//   stack: NAME <tab> SIZE, followed by <tab> BYTES of stack once the work is done

/// Writes at once, so that the last line names the claim if the process dies.
func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

func fail(_ message: String, code: Int32) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
guard let mode = arguments.first, ["count", "stack"].contains(mode) else {
  fail("usage: growth count|stack [TEXT] [PART/PARTS] [FACTOR]", code: 64)
}
var part = (number: 1, of: 1)
var factor = 1
var text = ""
for argument in arguments.dropFirst() {
  let numbers = argument.split(separator: "/").compactMap { Int($0) }
  if numbers.count == 2, argument == "\(numbers[0])/\(numbers[1])", numbers[1] > 0 {
    part = (numbers[0], numbers[1])
  } else if let number = Int(argument) {
    factor = number
  } else {
    text = argument
  }
}

do {
  let all =
    try ConversationClaims.all() + PostClaims.all() + ReaderClaims.all() + ImportClaims.all()
    + SiteClaims.all()
  let claims = all.filter { text.isEmpty || $0.name.contains(text) }.enumerated()
    .filter { $0.offset % part.of == part.number - 1 }.map(\.element)
  if mode == "stack" {
    for claim in claims {
      write("\(claim.name)\t\(claim.deepest)")
      write("\t\(try WorkerThread.stackUse { try claim.run(size: claim.deepest) })\n")
    }
  } else {
    // One thread does everything: callgrind counts the instructions of all threads, including threads that end.
    let factor = factor
    try WorkerThread.run {
      for claim in claims {
        // The first run includes work that is done once per process, such as type metadata. Its count is ignored.
        for size in [claim.first, claim.first, 2 * claim.first, 4 * claim.first].map({ $0 * factor }) {
          write("\(claim.name)\t\(size)\n")
          try claim.run(size: size)
        }
      }
    }
  }
} catch {
  fail("\(error)", code: 1)
}
