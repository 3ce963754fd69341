package import Foundation

/// A name and a value of a query, both decoded.
package struct QueryItem: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request that the stub got, and what it answered.
package struct LoggedRequest: Sendable, CustomStringConvertible {
  package enum Authorization: Sendable { case none, right, wrong }

  package var method: String
  /// Without the query.
  package var path: String
  package var query: [QueryItem]
  /// By lower-case names. `authorization` is left out; see `authorization`.
  package var headers: [String: String]
  package var authorization: Authorization
  package var body: String
  /// `nil` for a path that the stub does not know.
  package var endpoint: StubEndpoint?
  /// By the machine's clock.
  package var arrivedAt: Date
  /// `nil` while it is not answered, and where a fault meant that it never was.
  package var status: Int?
  /// The ids of the posts and users in the answer, `includes` among them: what X charges for.
  package var postsRead: Set<StubID> = []
  package var usersRead: Set<StubID> = []
  /// The fault that it met.
  package var fault: StubFault?

  /// The value of a query item.
  package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  package var description: String {
    let items = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let outcome = status.map(String.init) ?? "no answer"
    let met = fault.map { " (\($0.name))" } ?? ""
    return "\(method) \(path)\(items.isEmpty ? "" : "?" + items) → \(outcome)\(met)"
  }
}
