import Basics

/// The files that libcurl, its TLS library and the system's resolver read, besides programs and libraries.
package enum ClientFiles {
  /// Certificate authorities and the settings of OpenSSL, GnuTLS and p11-kit, as files and folders of Debian, Fedora, openSUSE and Arch.
  /// Folders that also contain private keys, such as `/etc/ssl`, are not among them.
  private static let security = [
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/tls/openssl.cnf",
    "/etc/pki/tls/openssl.d", "/etc/pki/ca-trust", "/etc/ca-certificates", "/var/lib/ca-certificates",
    "/etc/crypto-policies", "/etc/gnutls", "/etc/pkcs11",
  ]

  private static let resolver = "/etc/resolv.conf"

  /// The files of name resolution: resolv.conf(5), nsswitch.conf(5), gai.conf(5), hosts(5), and the files of the modules that nsswitch.conf
  /// names.
  private static let names = [
    resolver, "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/hosts", "/etc/host.conf", "/etc/hostname",
    "/etc/services", "/etc/protocols", "/etc/networks",
  ]

  /// The environment variables whose values are further files and folders, separated by colons.
  private static let variables = [
    "SSL_CERT_DIR", "OPENSSL_CONF", "OPENSSL_MODULES", "GNUTLS_SYSTEM_PRIORITY_FILE", "HOSTALIASES",
  ]

  /// Returns the paths of files and folders. Some of them may not exist.
  ///
  /// - Parameter environment: the environment variables of this process.
  package static func paths(_ environment: [String: String]) -> [String] {
    var paths = security + names + CertificateAuthorities.wellKnownFiles
    // Each of these files may be a link to another folder.
    if let file = CertificateAuthorities.ofThisMachine.file { paths.append(file) }
    for name in variables {
      paths += (environment[name] ?? "").split(separator: ":").map(String.init)
    }
    // Network managers replace the file during a run, after a change of the network. A file that is replaced in /etc cannot be permitted.
    let target = FileSystem.withoutLinks(resolver)
    if target.hasBytePrefix("/run/"), let folder = PathText.folder(of: target) {
      paths.append(String(folder))
    }
    return paths
  }
}
