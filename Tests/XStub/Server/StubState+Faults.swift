import Basics
import Foundation

extension StubState {
  /// Returns the response of a fault that replaces the correct response; `nil` for a fault that changes the correct response.
  func answer(of fault: StubFault, to request: LoggedRequest) -> StubAnswer? {
    let now = behaviour.now
    let limit = request.endpoint?.limit ?? 300
    var plain = RateWindow(limit: limit, remaining: limit / 2, resetsAt: now.addingTimeInterval(600))
    var answer: StubAnswer
    switch fault {
    case .status(let status, let headers, let body):
      answer = StubAnswer(status: status, json: .null)
      answer.body = Array(body.utf8)
      answer.headers = headers
      return answer
    case .window(let seconds):
      plain = RateWindow(limit: limit, remaining: 0, resetsAt: now.addingTimeInterval(seconds))
      answer = problems.generic(429, "Too Many Requests")
    case .usageCap: answer = problems.usageCapped
    case .creditsDepleted: answer = problems.creditsDepleted
    case .unauthorized: answer = problems.generic(401, "Unauthorized")
    case .forbidden: answer = problems.clientForbidden
    case .notFound: answer = problems.generic(404, "Not Found")
    case .serverError: answer = problems.generic(500, "Internal Server Error")
    case .unavailable(let seconds):
      answer = problems.generic(503, "Service Unavailable")
      if let seconds { answer.headers["retry-after"] = "\(seconds)" }
    case .redirect(let target, let status):
      answer = StubAnswer(status: status, json: .null)
      answer.body = []
      answer.headers["location"] = target
    case .html:
      let page = "<!doctype html><title>Over capacity</title><h1>Something is technically wrong</h1>"
      answer = StubAnswer(file: StubFile(contentType: "text/html; charset=utf-8", bytes: Array(page.utf8)))
    case .gzipBomb(let size):
      answer = StubAnswer(json: .null)
      answer.body = Gzip.bomb(size: size)
      answer.headers["content-encoding"] = "gzip"
    default: return nil
    }
    answer.headers.merge(plain.headers) { own, _ in own }
    return answer
  }
}
