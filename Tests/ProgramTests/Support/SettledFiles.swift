import Basics
import Foundation
import TestSupport
import Testing

/// Waits until the files that were written before are believed to be as they were seen: a file that changes twice within one
/// grain of the clock does not show it, so that builds read files again that are younger.
func waitUntilFilesAreSettled() throws {
  let folder = try TemporaryFolder()
  try folder.write("", to: "youngest")
  let signature = try #require(FileSystem.signature(of: folder.path + "/youngest"))
  while !signature.isSettled(at: FileSignature.now) { usleep(1000) }
}
