import HTTPTransport
import Testing

@Suite struct ClientFilesTests {
  @Test func containsTheFilesOfVariables() {
    let paths = ClientFiles.paths(["SSL_CERT_DIR": "/a:/b", "OPENSSL_CONF": "/c.cnf", "HOME": "/home/ada"])
    #expect(Set(["/a", "/b", "/c.cnf", "/etc/resolv.conf", "/etc/hosts"]).isSubset(of: paths))
    #expect(!paths.contains("/home/ada"))
    if let file = CertificateAuthorities.ofThisMachine.file { #expect(paths.contains(file)) }
  }

  /// These folders also contain private keys and passwords.
  @Test func containsNoFolderWithSecrets() {
    let paths = ClientFiles.paths([:])
    #expect(Set(paths).isDisjoint(with: ["/", "/etc", "/etc/ssl", "/etc/pki", "/etc/pki/tls", "/run"]))
  }
}
