import Basics

/// A response of the stub, before faults are applied.
struct StubAnswer: Sendable {
  var status = 200
  var contentType = "application/json; charset=utf-8"
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// The IDs of the posts and users in the response, including `includes`, for which X charges.
  var postsRead: Set<StubID> = []
  var usersRead: Set<StubID> = []

  init(status: Int = 200, json: JSONValue) {
    self.status = status
    body = JSONWriter.text(of: json, .compact).bytes
  }

  init(file: StubFile) {
    status = file.status
    contentType = file.contentType
    body = file.bytes
  }
}

/// The problems in X's error responses (RFC 7807), as in recorded responses.
struct StubProblems {
  func type(_ name: String) -> JSONValue { .string("https://api.twitter.com/2/problems/\(name)") }

  /// Returns a problem with a status and without a specific type.
  func generic(_ status: Int, _ title: String) -> StubAnswer {
    StubAnswer(
      status: status,
      json: [
        "title": .string(title), "type": "about:blank", "status": .integer(Int64(status)),
        "detail": .string(title),
      ])
  }

  func invalidRequest(_ problems: [ParameterProblem]) -> StubAnswer {
    let errors = problems.map { problem -> JSONValue in
      [
        "parameters": .object([problem.parameter: [.string(problem.value)]]),
        "message": .string(problem.message),
      ]
    }
    return StubAnswer(
      status: 400,
      json: [
        "errors": .array(errors), "title": "Invalid Request", "type": type("invalid-request"),
        "detail": "One or more parameters to your request was invalid.",
      ])
  }

  var clientForbidden: StubAnswer {
    StubAnswer(
      status: 403,
      json: [
        "client_id": "1", "title": "Client Forbidden", "type": type("client-forbidden"),
        "required_enrollment": "Appropriate Level of API Access", "reason": "client-not-enrolled",
        "registration_url": "https://developer.x.com/en/docs/projects/overview",
        "detail":
          "When authenticating requests to the X API v2 endpoints, you must use keys and tokens from an app with the appropriate access.",
      ])
  }

  /// The problem that the account has no credits left.
  var creditsDepleted: StubAnswer {
    StubAnswer(
      status: 402,
      json: [
        "title": "CreditsDepleted", "type": type("credits-depleted"),
        "detail": "Your enrolled account does not have any credits to fulfill this request.",
      ])
  }

  /// The problem that the monthly cap is reached. It is not reset with the rate limit's window.
  var usageCapped: StubAnswer {
    StubAnswer(
      status: 429,
      json: [
        "title": "UsageCapExceeded", "type": type("usage-capped"), "period": "Monthly", "scope": "Product",
        "detail": "Usage cap exceeded: Monthly product cap", "status": 429,
      ])
  }

  /// Returns a partial error about a post or a user.
  func partial(
    _ reason: StubHiding, resource: String, id: String, parameter: String, isIncluded: Bool = false,
    suspended: Bool = false
  ) -> JSONValue {
    var title = "Authorization Error"
    var detail = "Sorry, you are not authorized to see the \(resource) with \(parameter): [\(id)]."
    switch reason {
    case .notFound where suspended:
      title = "Forbidden"
      detail = "User has been suspended: [\(id)]."
    case .notFound:
      title = "Not Found Error"
      detail = "Could not find \(resource) with \(parameter): [\(id)]."
    case .notAuthorized: break
    case .unavailable:
      title = "Resource Unavailable"
      detail = "The \(resource) with \(parameter): [\(id)] is not available."
    case .disallowed:
      title = "Disallowed Resource"
      detail = "The \(resource) with \(parameter): [\(id)] violates X's rules."
    }
    var problem: [String: JSONValue] = [
      "value": .string(id), "resource_id": .string(id), "resource_type": .string(resource),
      "parameter": .string(parameter), "title": .string(title), "detail": .string(detail),
      "type": type(reason.rawValue),
    ]
    if reason != .notFound { problem["section"] = isIncluded ? "includes" : "data" }
    return .object(problem)
  }
}
