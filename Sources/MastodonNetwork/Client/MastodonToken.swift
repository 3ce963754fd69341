import HTTPTransport
import NetworkSources
import SiteConfig

extension SiteConfig.Mastodon.Server {
  /// Reads the server's token; `nil` where none is named.
  ///
  /// - Throws: where one is named and cannot be read, naming the place and never the value.
  func token(for run: SourceRun) throws(SourceError) -> Secret? {
    let place = CredentialPlace(variable: tokenEnv, file: tokenFile.map(run.absolutePath))
    let found: CredentialPlace.Found?
    do {
      found = try place.read(run.environment)
    } catch {
      throw missing("\(error)")
    }
    if let file = found?.openFile {
      run.warn(
        "\(file): warning: everybody on this machine can read the token for \(host). Run `chmod 600` on the file."
      )
    }
    if found == nil, let tokenEnv { throw missing("the environment variable \(tokenEnv) is not set") }
    return found?.secret
  }

  private func missing(_ reason: String) -> SourceError {
    var error = SourceError(.access, "There is no token for \(host): \(reason).", endsTheRun: false)
    error.isMissingCredential = true
    return error
  }
}
