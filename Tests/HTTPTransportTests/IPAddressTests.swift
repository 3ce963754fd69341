import HTTPTransport
import Testing

@Suite struct IPAddressTests {
  @Test(arguments: [
    ("8.8.8.8", IPAddress.Scope.global), ("1.1.1.1", .global), ("172.15.255.255", .global),
    ("172.32.0.0", .global), ("100.63.255.255", .global), ("100.128.0.0", .global),
    ("223.255.255.255", .global),
    ("127.0.0.1", .loopback), ("127.255.255.254", .loopback),
    ("0.0.0.0", .unspecified), ("0.1.2.3", .reserved),
    ("10.0.0.1", .privateUse), ("172.16.0.1", .privateUse), ("172.31.255.255", .privateUse),
    ("192.168.1.1", .privateUse), ("100.64.0.1", .privateUse), ("100.127.255.255", .privateUse),
    ("169.254.169.254", .linkLocal),
    ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
    ("240.0.0.1", .reserved), ("255.255.255.255", .reserved), ("192.0.2.1", .reserved),
    ("198.18.0.1", .reserved), ("198.51.100.7", .reserved), ("203.0.113.7", .reserved),
    ("192.0.0.1", .reserved),
    ("192.88.99.1", .reserved),
    ("2606:4700:4700::1111", .global), ("2a00:1450:4001:80b::200e", .global),
    ("::", .unspecified), ("::1", .loopback), ("::2", .reserved), ("::7f00:1", .reserved),
    ("::8.8.8.8", .reserved),
    ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .privateUse),
    ("fc00::1", .privateUse), ("fdff::1", .privateUse), ("ff02::1", .multicast),
    ("2001:db8::1", .reserved), ("3fff::1", .reserved), ("2001::1", .reserved), ("100::1", .reserved),
    ("4000::1", .reserved),
    ("::ffff:8.8.8.8", .global), ("::ffff:127.0.0.1", .reserved), ("::ffff:10.0.0.1", .privateUse),
    ("::ffff:169.254.169.254", .linkLocal), ("::ffff:0:8.8.8.8", .reserved),
    ("64:ff9b::8.8.8.8", .global), ("64:ff9b::10.0.0.1", .privateUse), ("64:ff9b::127.0.0.1", .reserved),
    ("64:ff9b:1::8.8.8.8", .privateUse),
    ("2002:808:808::1", .global), ("2002:a00:1::1", .privateUse), ("2002:7f00:1::", .reserved),
    ("2002:c0a8:101::1", .privateUse),
  ])
  func scopes(text: String, scope: IPAddress.Scope) throws {
    let address = try #require(IPAddress(text))
    #expect(address.scope == scope)
    #expect(IPAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "localhost", "1.2.3", "1.2.3.4.5", "256.0.0.1", "0x7f.0.0.1", "2130706433", "::1::", "[::1",
    "1.2.3.4 ",
    "fe80::1%eth0", "::1\0",
  ])
  func rejectsInvalidAddresses(text: String) { #expect(IPAddress(text) == nil) }

  @Test func bytesAreInNetworkOrder() {
    #expect(IPAddress(bytes: [127, 0, 0, 1]) == IPAddress("127.0.0.1"))
    #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 15) + [1]) == IPAddress("[::1]"))
    #expect(IPAddress(bytes: []) == nil)
    #expect(IPAddress(bytes: [1, 2, 3]) == nil)
  }

  @Test func prefixes() throws {
    let address = try #require(IPAddress("10.1.2.3"))
    let network = try #require(IPAddress("10.0.0.0"))
    #expect(address.isInside(network, length: 8))
    #expect(address.isInside(network, length: 0))
    #expect(!address.isInside(network, length: 16))
    #expect(!address.isInside(network, length: 33))
    #expect(!address.isInside(try #require(IPAddress("::")), length: 0))
    let six = try #require(IPAddress("2001:db8::1"))
    #expect(six.isInside(six, length: 128))
    #expect(!six.isInside(try #require(IPAddress("2001:db8::2")), length: 127))
    #expect(six.isInside(try #require(IPAddress("2001:db8::")), length: 64))
  }
}
