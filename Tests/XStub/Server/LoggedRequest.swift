package import Foundation

/// A decoded name and value in a query.
package struct QueryItem: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request that the stub received, and the result.
package struct LoggedRequest: Sendable, CustomStringConvertible {
  package enum Authorization: Sendable { case none, right, wrong }

  package var method: String
  /// The path, without the query.
  package var path: String
  package var query: [QueryItem]
  /// The headers by lower-case names, without `Authorization`; see `authorization`.
  package var headers: [String: String]
  package var authorization: Authorization
  package var body: String
  /// The endpoint; `nil` for an unknown path.
  package var endpoint: StubEndpoint?
  /// The time of arrival by the machine's clock.
  package var arrivedAt: Date
  /// The status of the response; `nil` if there is no response yet, or never because of a fault.
  package var status: Int?
  /// The IDs of the posts and users in the response, including `includes`, for which X charges.
  package var postsRead: Set<StubID> = []
  package var usersRead: Set<StubID> = []
  /// The fault in the response.
  package var fault: StubFault?

  /// The value of the first query item with a name.
  package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  package var description: String {
    let items = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let outcome = status.map(String.init) ?? "no answer"
    let met = fault.map { " (\($0.name))" } ?? ""
    return "\(method) \(path)\(items.isEmpty ? "" : "?" + items) → \(outcome)\(met)"
  }
}
