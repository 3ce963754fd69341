#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file with the certificate authorities that https servers must be certified by.
///
/// It is chosen when the program runs. A libcurl that is linked into the program knows at most the file of the machine on which it was built,
/// and that file has other names on other systems.
package struct CertificateAuthorities: Sendable, Hashable {
  /// A PEM file; `nil` leaves the choice to libcurl.
  package let file: String?

  /// The files of the systems, in the order of Go's crypto/x509 (root_linux.go): Debian, Arch and Gentoo; Fedora and RHEL, old and new; openSUSE;
  /// Alpine and macOS.
  package static let wellKnownFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// Reads the environment of this process and looks for the files on this machine.
  package static var ofThisMachine: CertificateAuthorities {
    CertificateAuthorities(
      variable: { name in getenv(name).map { String(cString: $0) } }, isReadable: { access($0, R_OK) == 0 })
  }

  /// Chooses the file: the variables of curl and OpenSSL come first, in the order of curl (https://curl.se/docs/sslcerts.html). A file that a
  /// variable names is used even if it cannot be read, so that the mistake is reported instead of hidden.
  ///
  /// - Parameters:
  ///   - variable: the value of an environment variable.
  ///   - isReadable: whether a file can be read.
  package init(variable: (String) -> String?, isReadable: (String) -> Bool) {
    let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap(variable).first { !$0.isEmpty }
    file = named ?? Self.wellKnownFiles.first(where: isReadable)
  }

  /// - Parameter file: a PEM file.
  package init(file: String) { self.file = file }

  /// What to do about a certificate that is not trusted; `nil` if the machine has authorities.
  var advice: String? {
    file == nil
      ? "this machine has no file of certificate authorities; install ca-certificates, or set SSL_CERT_FILE to such a file"
      : nil
  }
}
