// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Targets stand in the order of the pipeline: each may depend only on those above it.
// docs/ARCHITECTURE.md tells the same story in words.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

func stage(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

// Goldens and fixtures of a test are files below its folder, found by path (TestSupport), not bundled.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.target(name: name), "TestSupport"] + dependencies,
    exclude: folderExists("Tests/\(name)Tests/Fixtures") ? ["Fixtures"] : [],
    swiftSettings: strict)
}

func folderExists(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + path)
}

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let flyingFox: Target.Dependency = .product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks: Target.Dependency = .product(name: "FlyingSocks", package: "FlyingFox")

let package = Package(
  name: "threadsite",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "threadsite", targets: ["ThreadsiteCLI"]),
    .library(name: "ThreadsiteKit", targets: ["ThreadsiteKit"]),
  ],
  // Exact versions, as no lock file is kept: each is updated on purpose, by a commit that says why.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // The server of the preview.
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    // C libraries
    .systemLibrary(
      name: "CCmark", pkgConfig: "libcmark",
      providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),

    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CSecp256k1", pkgConfig: "libsecp256k1",
      providers: [.apt(["libsecp256k1-dev"]), .brew(["secp256k1"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),

    .target(name: "CCmarkArena", dependencies: ["CCmark"]),
    .target(name: "CFiles"),

    // Text, JSON, HTML and XML as bytes; digests; files
    stage("Basics", ["CFiles", "CNettle", "CXML2"]),

    // The stages
    stage("ThreadModel", ["Basics"]),
    // The words of the interface, numbers and dates in one language
    stage("InterfaceText", ["Basics", "ThreadModel"]),
    stage("SiteConfig", ["CYAML", "Basics", "ThreadModel", "InterfaceText"]),
    stage("ThreadStore", ["Basics", "ThreadModel"]),
    stage("HTTPTransport", ["CCurl", "Basics"]),
    // What the program knows of any network, and the networks
    stage(
      "NetworkSources",
      ["CArchive", "Basics", "ThreadModel", "SiteConfig", "HTTPTransport"]),
    stage(
      "XNetwork",
      ["Basics", "ThreadModel", "SiteConfig", "HTTPTransport", "NetworkSources"]),
    stage(
      "BlueskyNetwork",
      ["Basics", "ThreadModel", "SiteConfig", "HTTPTransport", "NetworkSources"]),
    stage(
      "MastodonNetwork",
      ["Basics", "ThreadModel", "SiteConfig", "HTTPTransport", "NetworkSources"]),
    stage(
      "ThreadsNetwork",
      ["Basics", "ThreadModel", "SiteConfig", "HTTPTransport", "NetworkSources"]),
    stage(
      "NostrNetwork",
      ["CSecp256k1", "Basics", "ThreadModel", "SiteConfig", "HTTPTransport", "NetworkSources"]),
    stage(
      "MediaMirror", ["Basics", "ThreadModel", "ThreadStore", "HTTPTransport"]),
    stage("Unroll", ["Basics", "ThreadModel"]),
    stage("Templates", ["Basics"]),
    stage("MarkdownHTML", ["CCmark", "CCmarkArena", "Basics"]),
    stage("ThreadMarkdown", ["ThreadModel", "InterfaceText", "Templates", "MarkdownHTML", "Basics"]),
    stage("SearchIndex", ["Basics"]),
    stage(
      "SiteOutput",
      ["Basics", "ThreadModel", "InterfaceText", "SiteConfig", "Templates"]),

    // Where sites are put
    stage(
      "Publishing",
      ["CArchive", "Basics", "ThreadModel", "HTTPTransport", "SiteConfig", "SiteOutput"]),

    // What threads are taken along as
    stage("ExportFormats", ["CZlib", "CSQLite", "Basics", "ThreadModel", "SiteOutput"]),

    // A site's folder: its settings, its store, and the choice of its threads
    stage(
      "SiteWorkspace",
      [
        "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore", "HTTPTransport",
        "NetworkSources", "XNetwork",
        "BlueskyNetwork", "MastodonNetwork", "ThreadsNetwork", "NostrNetwork", "MediaMirror",
        "ThreadMarkdown",
        "SiteOutput",
      ]),
    // Fetching and importing
    stage(
      "Intake",
      [
        "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore",
        "HTTPTransport", "NetworkSources",
        "MediaMirror", "SiteOutput", "SiteWorkspace",
      ]),
    // The build, where the stages from the store to the site meet
    stage(
      "SiteBuild",
      [
        "ExportFormats", "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore",
        "HTTPTransport", "MediaMirror",
        "NetworkSources", "Unroll", "Templates", "ThreadMarkdown", "MarkdownHTML", "SearchIndex",
        "SiteOutput",
        "Publishing", "SiteWorkspace",
      ]),
    // What a site's threads are exported as
    stage(
      "Export",
      [
        "ExportFormats", "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore",
        "MediaMirror", "Templates",
        "ThreadMarkdown", "MarkdownHTML", "SiteOutput", "Publishing", "SiteWorkspace", "SiteBuild",
      ]),
    // Listing, editing, reviewing and removing threads
    stage(
      "Upkeep",
      [
        "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore", "NetworkSources",
        "MediaMirror", "Unroll",
        "ThreadMarkdown", "SiteOutput", "SiteWorkspace", "SiteBuild",
      ]),
    stage(
      "SitePreview",
      ["Basics", "SiteConfig", "SiteOutput", "SiteWorkspace", "SiteBuild", flyingSocks]),
    // The pipeline for other programs: the one module with a public interface
    stage(
      "ThreadsiteKit",
      [
        "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore", "NetworkSources", "Unroll",
        "Templates", "ThreadMarkdown", "MarkdownHTML", "SiteWorkspace", "SiteBuild",
      ]),
    .executableTarget(
      name: "thread-markdown", dependencies: ["ThreadsiteKit"], path: "Examples/Markdown",
      swiftSettings: strict),
    .executableTarget(
      name: "ThreadsiteCLI",
      dependencies: [
        "MarkdownHTML", "SiteWorkspace", "Intake", "SiteBuild", "Export", "Upkeep", "SitePreview",
        "SiteConfig", "HTTPTransport", "ThreadModel", "ThreadStore",
        "NetworkSources", "Publishing", "SiteOutput", "Basics", arguments,
      ],
      swiftSettings: strict),

    // What Benchmarks/media/run.sh times.
    .executableTarget(
      name: "media-benchmark",
      dependencies: ["MediaMirror", "HTTPTransport", "ThreadModel", "ThreadStore"],
      path: "Benchmarks/media/Sources", swiftSettings: strict),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["ThreadModel", "InterfaceText", "SiteConfig", "Basics"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    // Raw HTTP on loopback, for faults that no well-made server has.
    .target(name: "LoopbackServer", path: "Tests/LoopbackServer", swiftSettings: strict),
    .target(
      name: "XStub", dependencies: ["Basics", "LoopbackServer"], path: "Tests/XStub", swiftSettings: strict),
    .target(
      name: "BlueskyStub", dependencies: ["Basics", "LoopbackServer", "XStub"],
      path: "Tests/BlueskyStub", swiftSettings: strict),
    .target(
      name: "MastodonStub", dependencies: ["Basics", "LoopbackServer", "ThreadModel"],
      path: "Tests/MastodonStub", swiftSettings: strict),
    // Events of Nostr with any content.
    .target(
      name: "NostrSigner", dependencies: ["CSecp256k1", "Basics", "ThreadModel"],
      path: "Tests/NostrSigner", swiftSettings: strict),
    // What a fetch does with a network's source, without the program and its store.
    .target(
      name: "SourceHarness",
      dependencies: ["HTTPTransport", "NetworkSources", "SiteConfig", "ThreadModel"],
      path: "Tests/SourceHarness", swiftSettings: strict),
    // The same server for trying things by hand: `swift run x-stub`.
    .executableTarget(
      name: "x-stub", dependencies: ["XStub"], path: "Tests/XStubServer", swiftSettings: strict),
    // The readers of untrusted bytes with their properties: `make fuzz` runs them under libFuzzer, the tests by mutation.
    .target(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "HTTPTransport", "Basics", "MarkdownHTML", "MediaMirror", "SearchIndex", "SiteConfig",
        "SiteOutput", "Templates", "TestSupport", "ThreadMarkdown", "ThreadModel", "ThreadStore",
        "Unroll", "XNetwork", "BlueskyNetwork", "MastodonNetwork", "ThreadsNetwork", "NostrNetwork",
        "NetworkSources", "InterfaceText", "NostrSigner",
      ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .executableTarget(
      name: "fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Runner",
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport", "Basics"], swiftSettings: strict),
    tests(of: "Basics", ["CFiles"]),
    tests(of: "ThreadModel", ["Basics"]),
    tests(of: "InterfaceText", ["Basics", "SiteConfig", "ThreadModel"]),
    tests(
      of: "SiteConfig",
      [
        "ThreadModel", "InterfaceText", "Basics", "XNetwork", "BlueskyNetwork", "MastodonNetwork",
        "ThreadsNetwork", "NostrNetwork",
      ]),
    tests(of: "ThreadStore", ["Basics", "ThreadModel"]),
    tests(of: "HTTPTransport", ["Basics", "LoopbackServer", flyingFox, flyingSocks]),
    tests(
      of: "NetworkSources",
      ["HTTPTransport", "SiteConfig", "ThreadModel", "Basics", "LoopbackServer"]),
    tests(
      of: "XNetwork",
      [
        "XStub", "CArchive", "NetworkSources", "SiteConfig", "HTTPTransport", "ThreadModel", "Unroll",
        "ThreadStore", "Basics",
      ]),
    tests(
      of: "MastodonNetwork",
      [
        "CArchive", "NetworkSources", "SiteConfig", "HTTPTransport", "ThreadModel", "Unroll", "Basics",
        "MastodonStub", "SourceHarness", "LoopbackServer",
      ]),
    tests(of: "XStub", ["Basics"]),
    tests(
      of: "BlueskyNetwork",
      [
        "BlueskyStub", "SourceHarness", "NetworkSources", "SiteConfig", "HTTPTransport", "ThreadModel",
        "Basics",
      ]),
    tests(
      of: "ThreadsNetwork",
      ["NetworkSources", "SiteConfig", "ThreadModel", "Unroll", "Basics"]),
    tests(
      of: "NostrNetwork",
      [
        "NostrSigner", "NetworkSources", "SiteConfig", "HTTPTransport", "ThreadModel", "Unroll", "Basics",
        "SourceHarness", flyingFox, flyingSocks,
      ]),
    tests(
      of: "MediaMirror",
      ["Basics", "ThreadModel", "ThreadStore", "HTTPTransport", "XNetwork", "LoopbackServer"]),
    tests(of: "Unroll", ["ThreadModel", "Basics"]),
    tests(of: "Templates", ["Basics"]),
    tests(
      of: "ThreadMarkdown",
      ["ThreadModel", "InterfaceText", "SiteConfig", "Templates", "MarkdownHTML", "Basics", "Unroll"]),
    tests(of: "MarkdownHTML", ["Basics", "CCmark"]),
    tests(of: "SearchIndex", ["Basics", "MarkdownHTML"]),
    tests(of: "ThreadsiteKit"),
    tests(
      of: "SiteOutput",
      [
        "Basics", "ThreadModel", "InterfaceText", "ThreadMarkdown", "SiteConfig", "Templates",
        "BlueskyNetwork",
      ]),
    // The program from its arguments to its files, as a process
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "TestSupport", "SiteWorkspace", "Intake", "SiteBuild", "Export", "Upkeep",
        "CArchive", "CSQLite", "CXML2", "HTTPTransport", "ThreadModel", "SiteConfig", "ThreadStore",
        "MediaMirror", "NetworkSources", "XNetwork", "XStub", "BlueskyStub", "MastodonStub",
        "LoopbackServer", "Publishing", "SiteOutput", "Basics", "Templates", "ThreadMarkdown", "Unroll",
        "InterfaceText",
      ],
      exclude: folderExists("Tests/ProgramTests/Fixtures") ? ["Fixtures"] : [],
      swiftSettings: strict),
    tests(
      of: "Publishing",
      ["Basics", "HTTPTransport", "ThreadModel", "SiteConfig", "SiteOutput", "LoopbackServer"]),
    tests(of: "SitePreview", ["Basics", "SiteBuild", "SiteWorkspace", "LoopbackServer"]),
    // How the cost of all stages grows with what they are given: Tests/Growth/run counts its instructions.
    .executableTarget(
      name: "growth",
      dependencies: [
        "TestSupport", "Basics", "ThreadModel", "InterfaceText", "SiteConfig",
        "ThreadStore", "NetworkSources",
        "XNetwork", "BlueskyNetwork", "BlueskyStub", "MastodonNetwork", "Unroll", "Templates",
        "ThreadMarkdown", "MarkdownHTML", "SiteWorkspace", "Intake", "SiteBuild", "Export",
      ],
      path: "Tests/Growth/Sources", swiftSettings: strict),
  ]
)

// `make test`: tests spend most of their time in these targets, whose generic code over bytes is slow without optimization. SwiftPM refuses
// dependencies with such flags, so the variable is only for work on this package. MarkdownHTML is left out: the compiler (6.3.1) makes an
// endless loop of the destruction of a `~Copyable` value inside another, if it optimizes the files of a module separately.
if Context.environment["THREADSITE_OPTIMIZED"] == "1" {
  let names: Set = [
    "Basics", "ThreadModel", "InterfaceText", "SiteConfig", "ThreadStore", "Templates", "ThreadMarkdown",
    "SearchIndex", "SiteOutput",
  ]
  for target in package.targets where names.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}

// `make test-deep`: packages that only the deep tests need. No other build resolves them.
if Context.environment["THREADSITE_DEEP"] == "1" {
  package.dependencies.append(
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"))
  package.targets.append(
    .testTarget(
      name: "MustacheAgreementTests",
      dependencies: ["Basics", "Templates", .product(name: "Mustache", package: "swift-mustache")],
      swiftSettings: strict))
}

// `make test-threads`: the sanitizer does not see what `Mutex` of the library does, so that one of its own takes its place.
if Context.environment["THREADSITE_SANITIZE"] == "thread" {
  for target in package.targets where target.swiftSettings != nil {
    target.dependencies.append("SanitizedLocks")
    target.swiftSettings?.append(.unsafeFlags(["-module-alias", "Synchronization=SanitizedLocks"]))
  }
  package.targets += [
    .target(name: "CSanitizedAtomics", path: "Tests/SanitizedLocks/C"),
    .target(name: "SanitizedLocks", dependencies: ["CSanitizedAtomics"], path: "Tests/SanitizedLocks/Swift"),
  ]
}

// `make test-memory`: what other tests are for is not built.
if let names = Context.environment["THREADSITE_TESTS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var queue = names.split(separator: ",").map { "\($0)Tests" }
  while let name = queue.popLast() {
    guard needed.insert(name).inserted, let target = targets[name] else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): queue.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
