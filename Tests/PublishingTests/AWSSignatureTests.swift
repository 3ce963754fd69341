import HTTPTransport
import Publishing
import Testing

/// The examples of AWS: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
@Suite struct AWSSignatureTests {
  private let signature = AWSSignature(
    AWSCredentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")),
    region: "us-east-1")
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  /// 24 May 2013, 00:00 GMT
  private static let seconds = 1_369_353_600

  private func signed(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [(name: String, value: String)] = [],
    query: [(name: String, value: String)] = [], payload: String = AWSSignatureTests.empty
  ) -> (String, [String]) {
    var request = HTTPRequest(method, "https://examplebucket.s3.amazonaws.com\(path)")
    request.headers = headers
    signature.sign(
      &request, host: "examplebucket.s3.amazonaws.com", path: path, query: query, payload: payload,
      seconds: Self.seconds)
    let text = request.authorization?.revealed ?? ""
    return (String(text.suffix(64)), text.split(separator: ",").map(String.init))
  }

  @Test func matchesTheExamplesOfAWS() {
    let (get, parts) = signed(.get, "/test.txt", [("Range", "bytes=0-9")])
    #expect(get == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      parts[0] == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request")
    #expect(parts[1] == "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date")
    let (put, _) = signed(
      .put, AWSSignature.encoded(path: "/test$file.text"),
      [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
      payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
    #expect(put == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    let (lifecycle, _) = signed(.get, "/", query: [("lifecycle", "")])
    #expect(lifecycle == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    let (list, _) = signed(.get, "/", query: [("prefix", "J"), ("max-keys", "2")])
    #expect(list == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func encodesPathsOnce() {
    #expect(AWSSignature.encoded(path: "/a/@b c/é+=%.html") == "/a/%40b%20c/%C3%A9%2B%3D%25.html")
  }
}
