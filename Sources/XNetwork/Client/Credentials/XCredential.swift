package import HTTPTransport

/// What X knows an app by.
package enum XCredential: Sendable, Hashable {
  /// An app-only bearer token.
  case bearer(Secret)
  /// A consumer key and its secret, which X gives a bearer token for.
  case consumer(key: Secret, secret: Secret)
}

/// Where the credential is to be found: names of environment variables and paths of files, never the values.
package struct XCredentialSource: Sendable, Hashable {
  /// A variable, and a file for where there is no such variable.
  package struct Place: Sendable, Hashable {
    package var variable: String
    package var file: String?

    package init(variable: String, file: String? = nil) {
      self.variable = variable
      self.file = file
    }
  }

  package var token: Place
  package var key: Place
  package var secret: Place

  package init(
    token: Place = Place(variable: "X_BEARER_TOKEN"), key: Place = Place(variable: "X_CONSUMER_KEY"),
    secret: Place = Place(variable: "X_CONSUMER_SECRET")
  ) {
    self.token = token
    self.key = key
    self.secret = secret
  }
}
