import HTTPTransport

extension XRefusal {
  /// The error for the user: what happened, and what to do.
  var error: XClientError {
    switch status {
    case 200..<300: error(.invalidAnswer, notX)
    case 300..<400:
      error(
        .invalidAnswer,
        "X sent a redirect (\(status)), which is not followed. Check api_url below x: in site.yml.")
    case 401:
      error(
        .wrongCredential,
        "X does not know the token (401, \(words)). Copy it again from X's developer console, or make a new one there."
      )
    case 402:
      error(
        .creditsDepleted,
        "The account's credits for X's API are used up (402, \(words)). Buy credits under Billing in X's developer "
          + "console (https://console.x.com), then run it again: what was fetched is kept.")
    case 403: error(.noAccess, noAccess)
    case 404 where type == "resource-not-found", 410 where type == "resource-not-found":
      error(.notFound, "There is no such thing on X (\(status), \(words)).")
    // Whatever answers here is not X's API, so this says nothing about what was asked for.
    case 404, 410: error(.invalidAnswer, notX)
    case 429: isUsageCap ? usageCap : window
    case 408, 500...:
      error(
        .serverTrouble,
        "X has trouble (\(status), \(words)). Run it again later: what was fetched is kept.")
    default: error(.invalidRequest, "X refused the request (\(status)): \(words).")
    }
  }

  private func error(_ kind: XClientError.Kind, _ message: String) -> XClientError {
    XClientError(kind, message, endpoint: endpoint)
  }

  private var notX: String {
    "The answer (\(status)) is not what X's API v2 sends. Check api_url below x: in site.yml, and that no proxy or "
      + "sign-in page of the network stands between."
  }

  private var noAccess: String {
    switch type {
    case "client-forbidden":
      "X refuses the app (403, \(words)). Its app has to belong to a project with access to the API v2: see the app in X's "
        + "developer console."
    case "unsupported-authentication":
      "X wants another kind of token here (403, \(words)). Use the app-only bearer token of the app."
    default:
      "The account may not use this endpoint of X's API (403, \(words)). See in X's developer console what its plan has."
    }
  }

  private var usageCap: XClientError {
    error(
      .usageCapped,
      "The account has read all the posts that its plan allows for now (429, \(words)). Waiting some minutes does not "
        + "help: raise the cap in X's developer console, or run it again in the next period. What was fetched is kept."
    )
  }

  private var window: XClientError {
    error(
      .rateLimited,
      "X answers no more requests of this kind for now (429, \(words)). Run it again in 15 minutes: what was fetched "
        + "is kept.")
  }

  /// No answer at all.
  static func noAnswer(_ error: HTTPError, _ endpoint: String) -> XClientError {
    switch error.kind {
    case .cancelled: cancelled(endpoint)
    case .tooLarge:
      XClientError(
        .invalidAnswer, "The answer is larger than any of X's: \(error.message).", endpoint: endpoint)
    default:
      XClientError(
        .noConnection,
        "There is no answer from X: \(error.message) (\(error.url)). Check the connection, and run it again: what was "
          + "fetched is kept.", endpoint: endpoint)
    }
  }

  static func cancelled(_ endpoint: String?) -> XClientError {
    XClientError(
      .cancelled, "Fetching was interrupted. What was fetched is kept: run it again to go on.",
      endpoint: endpoint)
  }
}
