import Basics
import Foundation

extension StubState {
  /// Returns the response to a request, after checks in the order of X: the path and the method, the credentials, the rate limit, the
  /// parameters, the app's permissions.
  mutating func judge(_ request: LoggedRequest, fault: StubFault?, baseURL: String) -> StubAnswer {
    guard let (endpoint, argument) = StubEndpoint.find(request.path) else {
      return violation(request, "there is no such path", problems.generic(404, "Not Found"))
    }
    switch endpoint {
    case .media: return media(request)
    case .token: return token(request)
    default: break
    }
    guard request.method == "GET" else {
      return violation(request, "the method has to be GET", problems.generic(405, "Method Not Allowed"))
    }
    guard request.authorization == .right else { return problems.generic(401, "Unauthorized") }
    let (isAllowed, window) = count(endpoint)
    var answer = judge(request, endpoint, argument, isAllowed: isAllowed, fault, baseURL)
    answer.headers.merge(window.headers) { own, _ in own }
    return answer
  }

  private mutating func judge(
    _ request: LoggedRequest, _ endpoint: StubEndpoint, _ argument: String?, isAllowed: Bool,
    _ fault: StubFault?, _ baseURL: String
  ) -> StubAnswer {
    guard isAllowed else { return problems.generic(429, "Too Many Requests") }
    if let refusal = refusal(of: request, endpoint, argument) { return refusal }
    if endpoint == .searchAll {
      guard behaviour.allowsSearchAll else { return problems.clientForbidden }
      if let refusal = refusalOfPace() { return refusal }
    }
    return answer(
      APIRequest(
        endpoint: endpoint, argument: argument, items: request.query, baseURL: baseURL, fault: fault))
  }

  /// Returns the refusal of a request that is invalid, which is a violation.
  private mutating func refusal(
    of request: LoggedRequest, _ endpoint: StubEndpoint, _ argument: String?
  ) -> StubAnswer? {
    let found = RequestValidation(endpoint: endpoint).problems(argument: argument, items: request.query)
    guard !found.isEmpty else { return nil }
    violations += found.map { "\(request.method) \(request.path): \($0.message)" }
    return problems.invalidRequest(found)
  }

  /// Returns the refusal of a second full-archive search within one second.
  private mutating func refusalOfPace() -> StubAnswer? {
    let now = behaviour.now
    guard behaviour.pacesSearchAll, let last = lastSearchAll, now.timeIntervalSince(last) < 1 else {
      lastSearchAll = now
      return nil
    }
    var answer = problems.generic(429, "Too Many Requests")
    answer.headers = RateWindow(limit: 1, remaining: 0, resetsAt: last.addingTimeInterval(1)).headers
    return answer
  }

  private mutating func violation(
    _ request: LoggedRequest, _ message: String, _ answer: StubAnswer
  ) -> StubAnswer {
    violations.append("\(request.method) \(request.path): \(message)")
    return answer
  }

  // MARK: The token

  private mutating func token(_ request: LoggedRequest) -> StubAnswer {
    guard request.method == "POST" else {
      return violation(request, "the method has to be POST", problems.generic(405, "Method Not Allowed"))
    }
    let type = request.headers["content-type"]?.lowercased().replacing(" ", with: "") ?? ""
    if type != "application/x-www-form-urlencoded;charset=utf-8" {
      violations.append("POST \(request.path): the content type is \(type)")
    }
    if request.body != "grant_type=client_credentials" {
      return violation(
        request, "the body has to be grant_type=client_credentials",
        error(170, "Missing required parameter: grant_type", "forbidden_missing_parameter"))
    }
    guard request.authorization == .right else {
      return error(99, "Unable to verify your credentials", "authenticity_token_error")
    }
    return StubAnswer(
      json: [
        "token_type": .string(behaviour.tokenType), "access_token": .string(behaviour.bearerToken),
      ])
  }

  /// Returns an error of the token endpoint, which has an older format.
  private func error(_ code: Int, _ message: String, _ label: String) -> StubAnswer {
    StubAnswer(
      status: 403,
      json: [
        "errors": [["code": JSONValue(code), "message": .string(message), "label": .string(label)]]
      ])
  }

  // MARK: Files

  private mutating func media(_ request: LoggedRequest) -> StubAnswer {
    if request.authorization != .none {
      violations.append("\(request.method) \(request.path): credentials were sent with a request for a file")
    }
    guard let file = file(at: request.path, size: request["name"]) else {
      return StubAnswer(
        file: StubFile(contentType: "text/plain", bytes: Array("Not found\n".utf8), status: 404))
    }
    var answer = StubAnswer(file: file)
    answer.headers["etag"] = "\"\(Checksums.crc32(file.bytes))\""
    answer.headers["accept-ranges"] = "bytes"
    return partial(answer, request.headers["range"])
  }

  /// Returns the rest of a file for the header `Range: bytes=<from>-`.
  private func partial(_ answer: StubAnswer, _ range: String?) -> StubAnswer {
    guard answer.status == 200, let range, range.hasPrefix("bytes="), range.hasSuffix("-"),
      let from = Int(range.dropFirst(6).dropLast()), answer.body.indices.contains(from)
    else { return answer }
    var rest = answer
    rest.status = 206
    rest.headers["content-range"] = "bytes \(from)-\(answer.body.count - 1)/\(answer.body.count)"
    rest.body = Array(answer.body[from...])
    return rest
  }
}
