// Prints the threads of a stored file, or of saved responses of X's API, as Markdown.
//
//     swift run thread-markdown threads/x/ada/1500.json
import Foundation
import ThreadsiteKit

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: thread-markdown FILE\n".utf8))
  exit(64)
}
let file = CommandLine.arguments[1]
do {
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
  // Other files are read as saved responses, whose errors explain the problem.
  let stored = try? PostThread(stored: bytes, file: file)
  let threads = try stored.map { [$0] } ?? PostThread.saved([(file, bytes)])
  let renderer = try ThreadRenderer(resources: ".")
  for thread in threads { print(try renderer.markdown(of: thread)) }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
