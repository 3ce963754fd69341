import CLibFuzzer
import Foundation
import FuzzTargets
import Synchronization

// What Tests/Fuzz/run calls:
//   fuzz list                             the names of all targets
//   fuzz corpus TARGET FOLDER             copies the target's corpus and findings into a folder
//   fuzz dictionary TARGET                the target's words, in libFuzzer's form
//   fuzz search-index FOLDER              writes the files that search.mjs damages
//   fuzz replay TARGET FILE…              gives files to a target
//   fuzz libfuzzer TARGET …               libFuzzer, with the rest of the command line
//   fuzz mutate TARGET SECONDS SEED FINDINGS   mutations from a seed, where there is no libFuzzer

/// The target that libFuzzer's callback runs. The callback has no parameter for it.
enum Current {
  static let target = Mutex<FuzzTarget?>(nil)
}

func fail(_ message: String, _ code: Int32 = 64) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(code)
}

func target(_ name: String?) -> FuzzTarget {
  guard let name, let target = FuzzTarget.named(name) else {
    fail("fuzz: there is no target \(name ?? "without a name"); they are: \(FuzzTarget.all.map(\.name))")
  }
  return target
}

/// Copies the initial corpus. Files with the same name in several folders get different names.
func copyCorpus(of target: FuzzTarget, to folder: String) throws {
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  for (number, file) in (try target.corpus() + target.findings()).enumerated() {
    try Data(file.bytes).write(to: URL(filePath: "\(folder)/seed-\(number)"))
  }
}

/// A word in the format of libFuzzer's dictionaries: quoted, with everything but visible ASCII as `\xAB`.
func quoted(_ word: String) -> String {
  let bytes = word.utf8.map { byte in
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      ? String(UnicodeScalar(byte))
      : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
  return "\"" + bytes.joined() + "\""
}

func writeSearchIndex(to folder: String) throws {
  for file in try SearchSample.files() {
    let url = URL(filePath: folder + "/search").appending(path: file.path).standardizedFileURL
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(file.bytes).write(to: url)
  }
}

/// Prints the error of a property.
func report(_ error: any Error, _ target: FuzzTarget) {
  let text = "fuzz: \(target.name): property failure: \(error)\n"
  FileHandle.standardError.write(Data(text.utf8))
}

/// Mutates the corpus for some seconds. A failing input is saved as a file and ends the run.
func mutate(_ target: FuzzTarget, seconds: Double, seed: UInt64, findings: String) throws {
  let corpus = (try target.corpus() + target.findings()).map(\.bytes) + [[]]
  var mutator = Mutator(seed: seed, for: target)
  let end = Date().addingTimeInterval(seconds)
  var runs = 0
  let last = "\(findings).running"
  func finish(_ words: String, _ code: Int32) -> Never {
    print("runs: \(runs) \(words)")
    exit(code)
  }
  func run(_ bytes: [UInt8]) throws {
    runs += 1
    try Data(bytes).write(to: URL(filePath: last))
    do {
      try target.check(bytes)
    } catch {
      try FileManager.default.createDirectory(atPath: findings, withIntermediateDirectories: true)
      let file = "\(findings)/seed-\(seed)-run-\(runs)"
      try Data(bytes).write(to: URL(filePath: file))
      report(error, target)
      try FileManager.default.removeItem(atPath: last)
      finish("finding: \(file)", 77)
    }
  }
  try FileManager.default.createDirectory(
    at: URL(filePath: findings).deletingLastPathComponent(), withIntermediateDirectories: true)
  // A trap ends the process before it can write anything, so the input is written beside the findings first.
  for bytes in corpus { try run(bytes) }
  while Date() < end {
    let bytes = mutator.mutation(of: mutator.pick(corpus), with: mutator.pick(corpus))
    try run(bytes)
  }
  try FileManager.default.removeItem(atPath: last)
  finish("seed: \(seed)", 0)
}

func runLibFuzzer(_ target: FuzzTarget, _ arguments: [String]) -> Never {
  #if LIBFUZZER
    Current.target.withLock { $0 = target }
    var copies: [UnsafeMutablePointer<CChar>?] = (["fuzz"] + arguments).map { strdup($0) }
    copies.append(nil)
    let code = copies.withUnsafeMutableBufferPointer { buffer -> Int32 in
      var count = Int32(buffer.count - 1)
      var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &values) { data, size in
        let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
        guard let target = Current.target.withLock({ $0 }) else { return 0 }
        do {
          try target.check(bytes)
        } catch {
          report(error, target)
          abort()
        }
        return 0
      }
    }
    exit(code)
  #else
    fail(
      "fuzz: this program was built without libFuzzer; Tests/Fuzz/run builds it with, where the toolchain has it",
      69)
  #endif
}

let arguments = CommandLine.arguments.dropFirst()
let rest = Array(arguments.dropFirst(2))
switch arguments.first {
case "list": for target in FuzzTarget.all { print(target.name, target.maximumLength) }
case "corpus" where rest.count == 1: try copyCorpus(of: target(arguments.dropFirst().first), to: rest[0])
case "dictionary":
  for word in target(arguments.dropFirst().first).dictionary { print(quoted(word)) }
case "search-index" where arguments.count == 2: try writeSearchIndex(to: Array(arguments)[1])
case "replay":
  let target = target(arguments.dropFirst().first)
  for file in rest {
    let bytes = Array(try Data(contentsOf: URL(filePath: file)))
    do {
      try target.check(bytes)
    } catch {
      report(error, target)
      exit(77)
    }
  }
case "libfuzzer": runLibFuzzer(target(arguments.dropFirst().first), rest)
case "mutate" where rest.count == 3:
  guard let seconds = Double(rest[0]), let seed = UInt64(rest[1]) else {
    fail("fuzz: seconds and a seed are numbers")
  }
  try mutate(target(arguments.dropFirst().first), seconds: seconds, seed: seed, findings: rest[2])
default: fail("fuzz: see Tests/Fuzz/README.md for what to run")
}
