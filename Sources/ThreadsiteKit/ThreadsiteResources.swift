import Foundation
import SiteWorkspace

/// The files that come with threadsite: templates, themes and interface strings.
public enum ThreadsiteResources {
  /// Returns the path of the folder that contains `templates` and `themes`; `nil` if it is not found.
  ///
  /// The places are, in this order: `THREADSITE_SHARE` in the environment; `share/threadsite` beside the folder of the running program;
  /// a folder above the program, as in a checkout; the checkout that this library was built from, such as the one in a package's
  /// `.build/checkouts`.
  public static func find() -> String? {
    let environment = ProcessInfo.processInfo.environment
    let executable = Bundle.main.executablePath ?? ""
    let source = URL(filePath: #filePath).deletingLastPathComponent().path
    // The second search only finds a folder above the source, because its environment is empty.
    return
      (Installation.find(executable: executable, environment: environment)
      ?? Installation.find(executable: source, environment: [:]))?.share
  }

  /// Returns the folder that a caller specified, or the default.
  static func folder(_ specified: String?) throws(ThreadsiteError) -> String {
    if let folder = specified ?? find() { return folder }
    throw ThreadsiteError(
      .configuration,
      [
        "error: threadsite's templates and themes were not found. Set THREADSITE_SHARE to the folder that contains them."
      ])
  }
}
