import CCurl

/// An easy handle: one hop of one transfer.
final class CurlHandle {
  let pointer: UnsafeMutableRawPointer
  /// The first setting that libcurl refused.
  private(set) var refused: CURLcode = CURLE_OK
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  private let message: UnsafeMutablePointer<CChar>

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    note(ccurl_set_error_buffer(pointer, message))
  }

  deinit {
    curl_easy_cleanup(pointer)
    for list in lists { curl_slist_free_all(list) }
    message.deallocate()
  }

  /// libcurl's own words for what went wrong, on one line.
  func explanation(of code: CURLcode) -> String {
    let text = String(cString: message)
    let words = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    return String(words.map { $0.isNewline ? " " : $0 })
  }

  func note(_ code: CURLcode) {
    if refused == CURLE_OK { refused = code }
  }

  func set(_ option: CURLoption, _ value: Int) {
    note(ccurl_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

  func set(_ option: CURLoption, offset value: Int) {
    note(ccurl_set_offset(pointer, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, _ value: String) {
    note(ccurl_set_string(pointer, option, value))
  }

  func set(_ option: CURLoption, _ values: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values {
      guard let longer = curl_slist_append(list, value) else {
        note(CURLE_OUT_OF_MEMORY)
        break
      }
      list = longer
    }
    if let list { lists.append(list) }
    note(ccurl_set_list(pointer, option, list))
  }

  /// A body of so many bytes comes from the read callback, by PUT.
  func setUpload(of count: Int) {
    set(CURLOPT_UPLOAD, true)
    set(CURLOPT_INFILESIZE_LARGE, offset: count)
  }

  func setBody(_ bytes: [UInt8]) {
    set(CURLOPT_POST, true)
    set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
    bytes.withUnsafeBytes { buffer in
      // An empty body still needs bytes to point to.
      if let base = buffer.baseAddress {
        note(ccurl_set_post_bytes(pointer, base))
      } else {
        note(ccurl_set_post_bytes(pointer, ""))
      }
    }
  }
}
