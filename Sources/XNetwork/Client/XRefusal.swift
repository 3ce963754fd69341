import Basics
import HTTPTransport
import NetworkSources

/// A response that is not a page, with its meaning: the status and X's message (RFC 9457 problem details, or `errors`).
struct XRefusal {
  let status: Int
  let endpoint: String
  private let headers: HTTPHeaders
  private let body: XFields?
  /// Whether the body is not JSON, such as a page of a proxy.
  private let isForeign: Bool
  /// The last segment of `type`, whose host differs between versions.
  let type: String
  private let title: String
  private let detail: String

  /// - Parameter token: the request's credential. A proxy may repeat it in its response, and errors must not show it.
  init(_ response: HTTPResponse, endpoint: String, hiding token: Secret? = nil) {
    // Without JSON, there is no message from X.
    let body = (try? JSONValue(parsing: response.body))?.object.map(XFields.init)
    isForeign = body == nil && !response.body.isEmpty
    status = response.status
    headers = response.headers
    self.body = body
    self.endpoint = endpoint
    let first = body?.list("errors").first
    type = Self.lastSegment(body?.text("type")) ?? Self.lastSegment(first?.text("type")) ?? ""
    func shown(_ text: String?) -> String? {
      token.map { token in text?.replacing(token.revealed, with: "(redacted)") } ?? text
    }
    title = shown(body?.text("title") ?? first?.text("title")) ?? ""
    let reasons = [shown(body?.text("detail")), shown(first?.text("message") ?? first?.text("detail"))]
      .compactMap(\.self)
    detail = reasons.reduce(into: [String]()) { list, text in if !list.contains(text) { list.append(text) } }
      .joined(separator: " ")
  }

  private static func lastSegment(_ type: String?) -> String? {
    type?.split(separator: "/").last.map(String.init)
  }

  /// Whether X did not recognize names of fields: a 400 about parameters. Any 400 counts unless it is clearly about something else.
  var isInvalidRequest: Bool {
    status == 400 && (type == "invalid-request" || type.isEmpty || type == "about:blank" || type == "blank")
  }

  /// The values of parameters that X's message names as unknown, as in
  /// "The `tweet.fields` query parameter value [article] is not one of [attachments,author_id,…]".
  var unknownValues: Set<String> {
    var result: Set<String> = []
    for words in [detail, parameters] {
      for piece in words.split(separator: "value [", omittingEmptySubsequences: false).dropFirst() {
        guard let end = piece.firstIndex(of: "]") else { continue }
        for value in piece[..<end].split(separator: ",") {
          result.insert(value.trimmingPrefix { $0 == " " }.description)
        }
      }
    }
    return result
  }

  private var parameters: String {
    (body?.list("errors") ?? []).map { error in
      let names = error.fields("parameters")?.members.keys.sorted() ?? []
      return (names + [error.text("parameter") ?? "", error.text("message") ?? ""]).joined(separator: " ")
    }.joined(separator: " ")
  }

  /// Whether a 429 means the monthly cap, for which waiting is useless, and not the window of 15 minutes.
  ///
  /// X's type is then `usage-capped` or its title `UsageCapExceeded`. With other messages, remaining requests in the window mean the same.
  /// A response that is not JSON (a page of a proxy) or has `Retry-After` does not mean the cap.
  var isUsageCap: Bool {
    guard status == 429 else { return false }
    if type == "usage-capped" || title.lowercased().hasPrefix("usagecap") { return true }
    guard !isForeign, headers["Retry-After"] == nil else { return false }
    return (headers.remainingRequests ?? 0) > 0 && title != "Too Many Requests"
  }

  /// X's message, shortened and on one line, because its content is not trusted.
  var words: String {
    let text = [title, title == detail ? "" : detail].filter { !$0.isEmpty }.joined(separator: ": ")
    let line = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(300).map { $0.properties.generalCategory == .control ? " " : $0 }))
    return line.isEmpty ? "no reason given" : line
  }

  /// Returns the error for the user: the problem, and the solution.
  var error: SourceError {
    switch status {
    case 200..<300: error(.invalidAnswer, notX)
    case 300..<400:
      error(
        .invalidAnswer,
        "X sent a redirect (\(status)), which is not followed. Check x.api_url in site.yml.")
    case 401:
      error(
        .wrongCredential,
        "X rejects the token (401, \(words)). Copy it again from X's developer console, or create a new one there."
      )
    case 402:
      error(
        .creditsDepleted,
        "The account's credits for X's API are used up (402, \(words)). Buy credits under Billing in X's developer "
          + "console (https://console.x.com), then run the command again: fetched posts are kept.")
    case 403: error(.access, noAccess)
    case 404 where type == "resource-not-found", 410 where type == "resource-not-found":
      error(.content, "X found nothing (\(status), \(words)).")
    // The responding server is not X's API, so the response is not evidence about the requested items.
    case 404, 410: error(.invalidAnswer, notX)
    case 429: isUsageCap ? usageCap : window
    case 408, 500...:
      error(
        .network,
        "X has a problem (\(status), \(words)). Run the command again later: fetched posts are kept.")
    default: error(.invalidRequest, "X refused the request (\(status)): \(words).")
    }
  }

  private func error(_ kind: SourceError.Kind, _ message: String) -> SourceError {
    SourceError(x: kind, message, endpoint: endpoint)
  }

  private var notX: String {
    "The response (\(status)) is not from X's API v2. Check x.api_url in site.yml, and that no proxy or "
      + "sign-in page intercepts requests."
  }

  private var noAccess: String {
    switch type {
    case "client-forbidden":
      "X rejects the app (403, \(words)). The app must belong to a project with access to the API v2: check the app in X's "
        + "developer console."
    case "unsupported-authentication":
      "X requires another kind of token here (403, \(words)). Use the app-only bearer token of the app."
    default:
      "The account may not use this endpoint of X's API (403, \(words)). Check the account's plan in X's developer console."
    }
  }

  private var usageCap: SourceError {
    error(
      .usageCapped,
      "The account has read all the posts that its plan allows for now (429, \(words)). Waiting a few minutes does not "
        + "help: raise the cap in X's developer console, or run the command again in the next period. Fetched posts are kept."
    )
  }

  private var window: SourceError {
    error(
      .quota,
      "X accepts no more requests of this kind for now (429, \(words)). Run the command again in 15 minutes: fetched posts "
        + "are kept.")
  }

  /// Returns the error for a request without a response.
  static func noAnswer(_ error: HTTPError, _ endpoint: String) -> SourceError {
    switch error.kind {
    case .cancelled: interrupted(endpoint)
    case .tooLarge:
      SourceError(
        x: .invalidAnswer, "The response is too large for one from X: \(error.message).", endpoint: endpoint)
    default:
      SourceError(
        x: .noConnection,
        "X did not respond: \(error.message) (\(error.url)). Check the connection and run the command again: "
          + "fetched posts are kept.", endpoint: endpoint)
    }
  }

  static func interrupted(_ endpoint: String? = nil) -> SourceError {
    SourceError(
      x: .interrupted, "Fetching was interrupted. Fetched posts are kept; run the command again to resume.",
      endpoint: endpoint)
  }
}

extension HTTPHeaders {
  /// The number of remaining requests in the endpoint's window.
  var remainingRequests: Int? { self["x-rate-limit-remaining"].flatMap { Int($0) } }
  /// The start of the next window, in seconds since 1970.
  var windowEnd: Int64? { self["x-rate-limit-reset"].flatMap { Int64($0) } }
}
