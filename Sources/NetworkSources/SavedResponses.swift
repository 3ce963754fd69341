package import Basics
import HTTPTransport
package import ThreadModel

/// The responses in a saved file: one, an array, or one per line, each bare or as a recorded exchange.
package struct SavedResponses: Sendable {
  /// The values in the order of the file.
  package let values: [JSONValue]
  /// Errors of lines that are not JSON, in a file whose other lines are JSON. Usually this is the last line of a truncated file.
  package let unread: [JSONError]
  /// Whether the file has no values at all, not even an empty array.
  package let isEmptyFile: Bool

  /// Reads a file. A file that is not JSON as a whole is read line by line: it may be a damaged file with one response per line, or an
  /// array with one element per line.
  ///
  /// - Throws: ``JSONError`` if neither the file nor any of its lines is JSON.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    var read: [JSONValue] = []
    var unread: [JSONError] = []
    do {
      read = try JSONReader.read(bytes) { reader throws(JSONError) in
        var values: [JSONValue] = []
        while !reader.isAtEnd() { values.append(try reader.readValue()) }
        return values
      }
    } catch {
      // A line with another value, such as a number, is part of an object that spans several lines.
      let lines = JSONLines(bytes, skipping: " \t\r,[]", " \t\r,[]")
      read = lines.values.map(\.value).filter { $0.object?.isEmpty == false }
      unread = lines.unread
      guard !read.isEmpty else { throw error }
    }
    isEmptyFile = read.isEmpty
    values = read.flatMap { value in value.array ?? [value] }
    self.unread = unread
  }
}

/// One saved response: its body, and the metadata that were saved with it.
package struct SavedResponse: Sendable {
  /// `nil` if the body is not a JSON object.
  package let body: JSONObject?
  /// The HTTP status; `nil` if the file does not state it.
  package let status: Int?
  package let fetchedAt: Timestamp?
  /// Whether the response was recorded with its request: `{"method", "url", "status", "headers", "body"}`, where the body may be JSON in a
  /// string.
  package let isExchange: Bool

  /// - Returns: `nil` if the value is not a JSON object.
  package init?(_ value: JSONValue) {
    guard let object = value.object else { return nil }
    guard let body = object["body"], object["status"] != nil || object["url"] != nil else {
      (self.body, status, fetchedAt, isExchange) = (object, nil, nil, false)
      return
    }
    isExchange = true
    status = object["status"]?.int ?? object["status"]?["code"]?.int
    self.body = Self.members(of: body)
    fetchedAt = Self.date(in: object["headers"])
  }

  private static func members(of body: JSONValue) -> JSONObject? {
    if let object = body.object { return object }
    guard let string = body.string else { return nil }
    return (try? JSONValue(parsing: Array(string.utf8)))?.object  // also `nil` for a string that is not JSON
  }

  private static func date(in headers: JSONValue?) -> Timestamp? {
    guard let header = headers?.object?.first(where: { $0.key.lowercased() == "date" })?.value else {
      return nil
    }
    return (header.string ?? header[0]?.string).flatMap { Timestamp(httpDate: $0) }
  }
}

extension Timestamp {
  /// Parses the date of an HTTP header, to the second; `nil` if the text is not such a date.
  package init?(httpDate text: String) {
    guard let seconds = HTTPDate.seconds(text) else { return nil }
    self.init(seconds: Int64(seconds))
  }
}
