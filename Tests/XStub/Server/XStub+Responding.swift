import Basics
import Foundation
import LoopbackServer

extension XStub {
  /// Responds to one request: logs and checks the request, and applies the planned fault.
  func respond(to request: LoopbackRequest, over connection: LoopbackConnection) throws {
    let (index, answer, fault) = withState { state in
      let logged = state.logged(request)
      let index = state.log.count
      state.log.append(logged)
      let fault = state.takeFault(for: logged.endpoint, path: logged.path)
      state.log[index].fault = fault
      var answer = state.judge(logged, fault: fault, baseURL: baseURL)
      if let fault, let replacement = state.answer(of: fault, to: logged) { answer = replacement }
      return (index, answer, fault)
    }
    try send(answer, fault, to: request, over: connection, index: index)
  }

  /// Records the response in the log when it is sent.
  func note(_ answer: StubAnswer, at index: Int) {
    withState { state in
      // The log may have been cleared meanwhile.
      guard state.log.indices.contains(index) else { return }
      state.log[index].status = answer.status
      state.log[index].postsRead = answer.postsRead
      state.log[index].usersRead = answer.usersRead
    }
  }
}

extension StubState {
  func logged(_ request: LoopbackRequest) -> LoggedRequest {
    var headers: [String: String] = [:]
    for (name, value) in request.headers { headers[name.lowercased()] = value }
    let given = headers.removeValue(forKey: "authorization")
    let raw = request.target
    let parts = raw.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map { $0.removingPercentEncoding ?? String($0) } ?? raw
    let endpoint = StubEndpoint.find(path)?.endpoint
    return LoggedRequest(
      method: request.method, path: path, query: Self.items(of: parts.dropFirst().first ?? ""),
      headers: headers, authorization: authorization(given, endpoint),
      body: String(decoding: request.body, as: UTF8.self), endpoint: endpoint,
      arrivedAt: Date())
  }

  private func authorization(_ given: String?, _ endpoint: StubEndpoint?) -> LoggedRequest.Authorization {
    guard let given else { return .none }
    guard endpoint == .token else { return given == "Bearer " + behaviour.bearerToken ? .right : .wrong }
    let pair = [behaviour.consumerKey, behaviour.consumerSecret].map(Self.encoded).joined(separator: ":")
    return given == "Basic " + Data(pair.utf8).base64EncodedString() ? .right : .wrong
  }

  /// Returns the text with everything but letters, digits and `-._~` percent-encoded, as X's page on application-only authentication requires.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let scalar = Character(Unicode.Scalar(byte))
      return scalar.isASCII && (scalar.isLetter || scalar.isNumber || "-._~".contains(scalar))
        ? String(scalar) : "%" + String(byte, radix: 16, uppercase: true).leftPadded
    }.joined()
  }

  /// Returns the decoded items of a query; `+` means a space, as in forms.
  static func items(of query: some StringProtocol) -> [QueryItem] {
    query.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        let spaced = String($0).replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
      }
      return QueryItem(halves[0], halves.count > 1 ? halves[1] : "")
    }
  }
}

extension String {
  fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
