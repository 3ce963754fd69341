import CCurl

/// The date of an HTTP header (RFC 9110, 5.6.7), parsed like in libcurl: in any of the three forms, and in the forms of careless servers.
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
package enum HTTPDate {
  /// Returns the seconds since 1970; `nil` if the text is not a date between 1970 and 9999.
  package static func seconds(_ text: String) -> Int? {
    let seconds = curl_getdate(text, nil)
    return (0...253_402_300_799).contains(seconds) ? seconds : nil
  }
}
