import Basics
import Foundation
import TestSupport
import Testing

/// Waits until builds trust the times of files that were just written. A file that changes twice within one
/// tick of the clock keeps its time, so builds read younger files again.
func waitUntilFilesAreSettled() throws {
  let folder = try TemporaryFolder()
  try folder.write("", to: "youngest")
  let signature = try #require(FileSystem.signature(of: folder.path + "/youngest"))
  while !signature.isSettled(at: FileSignature.now) { usleep(1000) }
}
