extension SiteConfig {
  /// The destination of `threadsite publish`. A file sets one destination for the site's files, a repository for records about them, or both.
  package struct Publish: Sendable, Equatable {
    /// The path of a folder, relative to the site's folder or absolute.
    package var folder: String?
    package var git: Git?
    package var rsync: Rsync?
    package var s3: S3?
    package var gitPages: GitPages?
    package var neocities: Neocities?
    /// A program and its arguments, without a shell.
    package var command: [String]?
    /// The repository for records about the site and its threads.
    package var atproto: Atproto?
    /// The maximum number of published files that one run deletes, unless an option allows more.
    package var maxDeletes = DeletionLimit.percent(25)

    package static let defaults = Publish()

    /// The keys of destinations. A file has exactly one of them.
    fileprivate static let places = [
      "folder", "git", "rsync", "s3", "git_pages", "neocities", "command",
    ]

    /// Whether there is a destination for the site's files.
    package var hasPlace: Bool {
      folder != nil || git != nil || rsync != nil || s3 != nil || gitPages != nil || neocities != nil
        || command != nil
    }

    /// The names of the environment variables that may contain credentials.
    package var credentialVariables: [String] {
      [git?.tokenEnv, gitPages?.tokenEnv, neocities?.keyEnv, atproto?.passwordEnv].compactMap(\.self)
        + (s3.map { [$0.accessKeyEnv, $0.secretKeyEnv, $0.sessionTokenEnv] } ?? [])
    }

    /// The paths of the files that may contain credentials, as written in the configuration.
    package var credentialFiles: [String] {
      [
        git?.tokenFile, s3?.accessKeyFile, s3?.secretKeyFile, gitPages?.tokenFile, neocities?.keyFile,
        atproto?.passwordFile,
      ]
      .compactMap(\.self)
    }
  }
}

extension SiteConfig.Publish {
  /// A branch of a git repository.
  package struct Git: Sendable, Equatable {
    /// The name of a remote of the site's repository, a URL or a path.
    package var remote = "origin"
    /// Never empty in a decoded file.
    package var branch: String
    /// Whether each publication adds a commit. Otherwise the branch has only one commit, and earlier versions are lost.
    package var history = true
    package var message = "Publish the site"
    /// `Name <address>`; `nil` for the author in git's configuration.
    package var author: String?
    /// The name of the environment variable that contains a token for https.
    package var tokenEnv: String?
    /// The path of a file that contains the token; read if the variable is not set.
    package var tokenFile: String?

    package init(branch: String) { self.branch = branch }
  }
}

extension SiteConfig.Publish {
  /// A folder to which rsync copies.
  package struct Rsync: Sendable, Equatable {
    /// The destination in rsync's notation: `host:path`, `user@host:path`, `rsync://host/module/path`. Never empty in a decoded file.
    package var to: String
    /// rsync patterns for files that are never deleted at the destination.
    package var keep: [String] = []

    package init(to: String) { self.to = to }
  }

  /// A bucket of S3 or of a service with a compatible API.
  package struct S3: Sendable, Equatable {
    /// Never empty in a decoded file.
    package var bucket: String
    package var region = "us-east-1"
    /// The URL of the service; `nil` for AWS.
    package var endpoint: SiteURL?
    /// The prefix of the names of all objects; empty, or ends with a slash.
    package var prefix = ""
    /// Whether the bucket is in the path of URLs instead of the host; `nil` for the usual form of the endpoint.
    package var pathStyle: Bool?
    /// The names of the environment variables that contain the keys.
    package var accessKeyEnv = "AWS_ACCESS_KEY_ID"
    package var secretKeyEnv = "AWS_SECRET_ACCESS_KEY"
    package var sessionTokenEnv = "AWS_SESSION_TOKEN"
    /// The paths of files that contain the keys; read if the variables are not set.
    package var accessKeyFile: String?
    package var secretKeyFile: String?

    package init(bucket: String) { self.bucket = bucket }

    /// The usual form for AWS has the bucket in the host, except for names with a full stop: no certificate covers such a host.
    package var usesPathStyle: Bool { pathStyle ?? (endpoint != nil || bucket.contains(".")) }

    /// The value of the `Host` header.
    package var host: String {
      let host = endpoint.map { Self.withoutUsualPort($0) } ?? "s3.\(region).amazonaws.com"
      return usesPathStyle ? host : "\(bucket).\(host)"
    }

    /// The scheme and the host of all URLs.
    package var origin: String { "\(endpoint?.scheme ?? "https")://\(host)" }

    private static func withoutUsualPort(_ url: SiteURL) -> String {
      let port = url.scheme == "https" ? ":443" : ":80"
      return url.authority.hasSuffix(port) ? String(url.authority.dropLast(port.count)) : url.authority
    }
  }
}

extension SiteConfig.Publish {
  /// A site on a git-pages server, such as Codeberg's.
  package struct GitPages: Sendable, Equatable {
    /// The site's public URL on the server; `nil` for `base_url`.
    package var url: SiteURL?
    /// The name of the environment variable that contains the token.
    package var tokenEnv = "GIT_PAGES_TOKEN"
    /// The path of a file that contains the token; read if the variable is not set.
    package var tokenFile: String?
    package var authorization = Authorization.forge

    /// The method by which the server checks the token.
    package enum Authorization: String, Sendable, CaseIterable {
      /// The server's forge checks it: a user who may push to the repository may publish.
      case forge
      /// The domain's TXT record at `_git-pages-challenge` contains the token's digest.
      case dns
    }
  }

  /// A site on Neocities.
  package struct Neocities: Sendable, Equatable {
    /// The name of the environment variable that contains the API key.
    package var keyEnv = "NEOCITIES_API_KEY"
    /// The path of a file that contains the API key; read if the variable is not set.
    package var keyFile: String?
    /// Whether the account is a paid account, which may contain files of all types.
    package var isSupporter = false
    /// The URL of the API; `nil` for Neocities' own. For tests.
    package var apiURL: SiteURL?

    package init() {}
  }
}

extension SiteConfig.Publish {
  /// A repository of the AT Protocol, such as that of a Bluesky account, with records about the site and its threads (https://standard.site).
  package struct Atproto: Sendable, Equatable {
    /// The account's DID, which never changes, unlike its handle. Never empty in a decoded file.
    package var account: String
    /// The server of the account; `nil` for the server in the account's DID document.
    package var server: SiteURL?
    /// The name of the environment variable that contains an app password.
    package var passwordEnv = "ATPROTO_APP_PASSWORD"
    /// The path of a file that contains an app password; read if the variable is not set.
    package var passwordFile: String?
    /// The colors of cards; `nil` for the colors of the app.
    package var colors: Colors?

    package init(account: String) { self.account = account }

    /// Four colors, each as red, green and blue.
    package struct Colors: Sendable, Equatable {
      package var background: [UInt8] = []
      package var foreground: [UInt8] = []
      package var accent: [UInt8] = []
      /// The color of text on the accent.
      package var accentForeground: [UInt8] = []
    }
  }
}

extension SiteConfig.Publish: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Publish>] = [
    ConfigField("folder", \.folder, .path),
    ConfigField("git", \.git, .section),
    ConfigField("rsync", \.rsync, .section),
    ConfigField("s3", \.s3, .section),
    ConfigField("git_pages", \.gitPages, .section),
    ConfigField("neocities", \.neocities, .section),
    ConfigField("command", \.command, .commandWords),
    ConfigField("atproto", \.atproto, .section),
    ConfigField("max_deletes", \.maxDeletes, .deletionLimit),
  ]

  package static var mayHoldSecrets: Bool { true }

  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    // Keys with invalid values also count: they are not missing, and their problems are already reported.
    guard case .mapping(let entries) = value.node.content else { return }
    let found = entries.map(\.key).filter(Self.places.contains)
    if found.isEmpty, !entries.map(\.key).contains("atproto") {
      problems.error(
        "expected one of \((Self.places + ["atproto"]).joined(separator: ", ")) here", at: value)
    } else if found.count > 1 {
      problems.error(
        "a site is published to one place, and this names \(found.joined(separator: " and ")); keep one of them",
        at: value)
    }
  }
}

extension SiteConfig.Publish.Git: ConfigSection {
  package static let defaults = SiteConfig.Publish.Git(branch: "")

  package static let fields: [ConfigField<SiteConfig.Publish.Git>] = [
    ConfigField("remote", \.remote, .gitRemote),
    ConfigField("branch", \.branch, .gitBranch, isRequired: true),
    ConfigField("history", \.history, .flag),
    ConfigField("message", \.message, .line),
    ConfigField("author", \.author, .gitAuthor),
    ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
  ]

  package static var mayHoldSecrets: Bool { true }
}

extension SiteConfig.Publish.Rsync: ConfigSection {
  package static let defaults = SiteConfig.Publish.Rsync(to: "")

  package static let fields: [ConfigField<SiteConfig.Publish.Rsync>] = [
    ConfigField("to", \.to, .rsyncPlace, isRequired: true),
    ConfigField("keep", \.keep, .list(of: .line(upTo: 2000))),
  ]
}

extension SiteConfig.Publish.S3: ConfigSection {
  package static let defaults = SiteConfig.Publish.S3(bucket: "")

  package static let fields: [ConfigField<SiteConfig.Publish.S3>] = [
    ConfigField("bucket", \.bucket, .bucket, isRequired: true),
    ConfigField("region", \.region, .region),
    ConfigField("endpoint", \.endpoint, .bareAPIURL),
    ConfigField("prefix", \.prefix, .keyPrefix),
    ConfigField("path_style", \.pathStyle, .flag),
    ConfigField("access_key_env", \.accessKeyEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("access_key_file", \.accessKeyFile, ValueReader.secretFile.hidingText),
    ConfigField("secret_key_env", \.secretKeyEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("secret_key_file", \.secretKeyFile, ValueReader.secretFile.hidingText),
    ConfigField("session_token_env", \.sessionTokenEnv, ValueReader.environmentVariable.hidingText),
  ]

  package static var mayHoldSecrets: Bool { true }
}

extension SiteConfig.Publish.GitPages: ConfigSection {
  package static let defaults = SiteConfig.Publish.GitPages()

  package static let fields: [ConfigField<SiteConfig.Publish.GitPages>] = [
    ConfigField("url", \.url, .apiURL),
    ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
    ConfigField("authorization", \.authorization, .word()),
  ]

  package static var mayHoldSecrets: Bool { true }
}

extension SiteConfig.Publish.Neocities: ConfigSection {
  package static let defaults = SiteConfig.Publish.Neocities()

  package static let fields: [ConfigField<SiteConfig.Publish.Neocities>] = [
    ConfigField("key_env", \.keyEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("key_file", \.keyFile, ValueReader.secretFile.hidingText),
    ConfigField("supporter", \.isSupporter, .flag),
    ConfigField("api_url", \.apiURL, .bareAPIURL),
  ]

  package static var mayHoldSecrets: Bool { true }
}

extension SiteConfig.Publish.Atproto: ConfigSection {
  package static let defaults = SiteConfig.Publish.Atproto(account: "")

  package static let fields: [ConfigField<SiteConfig.Publish.Atproto>] = [
    ConfigField("account", \.account, .did, isRequired: true),
    ConfigField("server", \.server, .bareAPIURL),
    ConfigField("password_env", \.passwordEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("password_file", \.passwordFile, ValueReader.secretFile.hidingText),
    ConfigField("colors", \.colors, .section),
  ]

  package static var mayHoldSecrets: Bool { true }
}

extension SiteConfig.Publish.Atproto.Colors: ConfigSection {
  package static let defaults = SiteConfig.Publish.Atproto.Colors()

  package static let fields: [ConfigField<SiteConfig.Publish.Atproto.Colors>] = [
    ConfigField("background", \.background, .color, isRequired: true),
    ConfigField("foreground", \.foreground, .color, isRequired: true),
    ConfigField("accent", \.accent, .color, isRequired: true),
    ConfigField("accent_foreground", \.accentForeground, .color, isRequired: true),
  ]
}

extension ValueReader where Value == [UInt8] {
  /// A color in six hexadecimal digits.
  fileprivate static var color: ValueReader {
    .text("a color such as \"#1d4d7e\"") { text throws(InvalidValue) in
      let digits = text.hasPrefix("#") ? Array(text.utf8.dropFirst()) : []
      guard digits.count == 6, let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        digits.allSatisfy(isASCIILetterOrDigit)
      else { throw InvalidValue("expected a color such as \"#1d4d7e\", found \(quoted(text))") }
      return [UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
  }
}

extension ValueReader where Value == String {
  /// The DID of an account, by a method that repositories use (https://atproto.com/specs/did).
  fileprivate static var did: ValueReader {
    .text("the DID of an account such as did:plc:z72i7hdynmk6r22z27h6tvur") { text throws(InvalidValue) in
      let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3, parts[0] == "did", !parts[2].isEmpty, text.utf8.count <= 256 {
        let rest = parts[2].utf8
        if parts[1] == "plc", rest.count == 24,
          rest.allSatisfy({ (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) })
        {
          return text
        }
        if parts[1] == "web", rest.allSatisfy({ isASCIILetterOrDigit($0) || "-.".utf8.contains($0) }),
          parts[2].contains("."), parts[2].first != ".", parts[2].last != "."
        {
          return text
        }
      }
      let handle = text.hasPrefix("@") ? String(text.dropFirst()) : text
      let isHandle =
        handle.contains(".") && handle.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-.".utf8.contains($0) }
      throw InvalidValue(
        "expected the DID of an account such as did:plc:z72i7hdynmk6r22z27h6tvur, found \(quoted(text))"
          + (isHandle
            ? "; the DID of this handle is at https://\(handle)/.well-known/atproto-did, or in the TXT record of _atproto.\(handle)"
            : ""))
    }
  }
}

extension ValueReader where Value == SiteURL {
  /// The URL of a service, without a path.
  fileprivate static var bareAPIURL: ValueReader {
    ValueReader { value, problems in
      guard let url = ValueReader.apiURL.read(value, &problems) else { return nil }
      guard url.path == "/" else {
        problems.error(
          "expected only the URL of the service, without the path \(quoted(url.path))", at: value)
        return nil
      }
      return url
    }
  }
}

extension ValueReader where Value == String {
  /// The name of a bucket by the rules of AWS, plus upper case and underscores, which some services allow.
  fileprivate static var bucket: ValueReader {
    .text("the name of a bucket") { text throws(InvalidValue) in
      let isName =
        (3...63).contains(text.utf8.count) && text.utf8.first.map(isASCIILetterOrDigit) == true
        && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-._".utf8.contains($0) }
      guard isName else {
        throw InvalidValue(
          "\(quoted(text)) is not the name of a bucket, such as ada-site; the URL of the service belongs under endpoint"
        )
      }
      return text
    }
  }

  fileprivate static var region: ValueReader {
    .text("the name of a region such as eu-central-1") { text throws(InvalidValue) in
      guard (1...64).contains(text.utf8.count),
        text.utf8.allSatisfy({ isASCIILetterOrDigit($0) || $0 == 0x2D })
      else {
        throw InvalidValue("\(quoted(text)) is not the name of a region such as eu-central-1 or auto")
      }
      return text
    }
  }

  /// The prefix of object names as a folder. A slash is added at the end.
  fileprivate static var keyPrefix: ValueReader {
    .text("a path") { text throws(InvalidValue) in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let names = parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
      let isPath =
        text.utf8.count <= 500 && !names.isEmpty
        && names.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      guard isPath else {
        throw InvalidValue(
          "expected a path without a slash in front such as blog/threads, found \(quoted(text))")
      }
      return text.hasSuffix("/") ? text : text + "/"
    }
  }

  /// The destination of rsync. Text that begins with a hyphen would be an option. Text without a colon is a local folder, which needs the key `folder`.
  fileprivate static var rsyncPlace: ValueReader {
    ValueReader(nestedKeys: []) { value, problems in
      guard let text = ValueReader.line(upTo: 2000).read(value, &problems) else { return nil }
      guard !hasPassword(text) else {
        problems.mask.hide(text)
        problems.error(
          "URLs in this file must not contain a password; set it in the environment variable RSYNC_PASSWORD",
          at: value)
        return nil
      }
      guard !text.hasPrefix("-"), text.contains(":") else {
        problems.error(
          "expected a place such as ada@example.org:/srv/www, found \(quoted(text)); a folder of this machine is publish.folder",
          at: value)
        return nil
      }
      return text.hasSuffix("/") ? text : text + "/"
    }
  }
}

extension ValueReader where Value == String {
  /// A git remote. Text that begins with a hyphen would be an option.
  fileprivate static var gitRemote: ValueReader {
    ValueReader(nestedKeys: []) { value, problems in
      guard let text = ValueReader.line(upTo: 2000).read(value, &problems) else { return nil }
      guard !text.hasPrefix("-") else {
        problems.error("expected the name of a remote, a URL or a path, found \(quoted(text))", at: value)
        return nil
      }
      guard !hasPassword(text) else {
        problems.mask.hide(text)
        problems.error(
          "URLs in this file must not contain a password; use token_env, token_file or git's credentials",
          at: value)
        return nil
      }
      return text
    }
  }

  /// Whether a text is a URL with a password, or with a token as the user name.
  private static func hasPassword(_ text: String) -> Bool {
    guard let separator = text.firstRange(of: "://") else { return false }
    let authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return false }
    let user = String(authority[..<at])
    return user.contains(":") || SecretMask.looksLikeToken(user)
  }

  /// The name of a branch, by the relevant rules of `git check-ref-format`.
  fileprivate static var gitBranch: ValueReader {
    .text("the name of a branch") { text throws(InvalidValue) in
      let isName =
        (1...200).contains(text.utf8.count)
        && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"~^:?*[\\".utf8.contains($0) }
        && !text.hasPrefix("-") && !text.contains("..") && !text.contains("@{") && text != "@"
        && !text.hasSuffix(".") && !text.hasPrefix("refs/")
        && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
          !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasSuffix(".lock")
        }
      guard isName else { throw InvalidValue("\(quoted(text)) is not the name of a branch such as gh-pages") }
      return text
    }
  }

  fileprivate static var gitAuthor: ValueReader {
    .text("a name and an email address such as Ada <ada@example.org>") { text throws(InvalidValue) in
      let parts = text.split(separator: "<", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].hasSuffix(" "), parts[0].count > 1, parts[1].hasSuffix(">"),
        parts[1].filter({ $0 == ">" }).count == 1, !text.unicodeScalars.contains(where: { $0.value < 0x20 })
      else {
        throw InvalidValue(
          "expected a name and an email address such as Ada <ada@example.org>, found \(quoted(text))")
      }
      return text
    }
  }
}

extension ValueReader where Value == [String] {
  /// A program and its arguments.
  static var commandWords: ValueReader {
    let words = ValueReader.list(of: ValueReader<String>.line(upTo: 2000))
    return ValueReader { value, problems in
      problems.remember(value)
      guard let words = words.read(value, &problems) else { return nil }
      if words.isEmpty { problems.error("expected a program and its arguments", at: value) }
      return words
    }
  }
}

/// The maximum number of published files that one run deletes: a number of files, or a percentage of all files.
package enum DeletionLimit: Sendable, Hashable, CustomStringConvertible {
  case files(Int)
  case percent(Int)

  /// Reads `100` or `25%`.
  package init(_ text: String) throws(InvalidValue) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy(isASCIIDigit), let number = Int(digits),
      !isPercent || number <= 100
    else {
      throw InvalidValue(
        "expected a number of files such as 100, or a percentage such as 25%, found \(quoted(text))")
    }
    self = isPercent ? .percent(number) : .files(number)
  }

  /// Whether `deleted` of `all` files may be deleted.
  package func allows(_ deleted: Int, of all: Int) -> Bool {
    switch self {
    case .files(let number): deleted <= number
    case .percent(let number): deleted * 100 <= all * number
    }
  }

  package var description: String {
    switch self {
    case .files(let number): "\(number)"
    case .percent(let number): "\(number)%"
    }
  }
}

extension ValueReader where Value == DeletionLimit {
  static var deletionLimit: ValueReader {
    .text("a number of files such as 100, or a part such as 25%") { text throws(InvalidValue) in
      try DeletionLimit(text)
    }
  }
}
