package import Foundation

/// The section of a network in site.yml, which the network's target declares.
package protocol NetworkSection: ConfigSection, Equatable {
  /// The key of the section: `x`.
  static var key: String { get }

  /// The names of the environment variables that may contain credentials.
  var credentialVariables: [String] { get }
  /// The files that may contain credentials, as written in the configuration.
  var credentialFiles: [String] { get }
  /// The URLs of APIs in place of the network's own.
  var apiURLs: [SiteURL] { get }
  /// The maximum cost of one run in US dollars; `nil` if requests are free.
  var maximumCost: Decimal? { get }
}

extension NetworkSection {
  package var credentialVariables: [String] { [] }
  package var credentialFiles: [String] { [] }
  package var maximumCost: Decimal? { nil }

  /// The key in site.yml.
  static var field: ConfigField<SiteConfig> {
    let reader = ValueReader<Self>.section
    return ConfigField(key, nestedKeys: reader.nestedKeys) { value, config, problems in
      if let section = reader.read(value, &problems) { config.networks[Self.self] = section }
    }
  }

  fileprivate func isEqual(to other: any NetworkSection) -> Bool { (other as? Self) == self }
}

/// The sections of networks in a site.yml. A section that the file does not contain has its default values.
package struct NetworkSettings: Sendable, Equatable {
  /// By their keys.
  private var sections: [String: any NetworkSection] = [:]

  package subscript<Section: NetworkSection>(type: Section.Type) -> Section {
    get { sections[Section.key] as? Section ?? .defaults }
    // A section with default values equals a missing one.
    set { sections[Section.key] = newValue == .defaults ? nil : newValue }
  }

  /// Returns a section whose network is known only at run time.
  package func section(of type: any NetworkSection.Type) -> any NetworkSection {
    func read<Section: NetworkSection>(_ type: Section.Type) -> any NetworkSection { self[type] }
    return read(type)
  }

  package static func == (lhs: NetworkSettings, rhs: NetworkSettings) -> Bool {
    lhs.sections.count == rhs.sections.count
      && lhs.sections.allSatisfy { key, section in rhs.sections[key].map { section.isEqual(to: $0) } ?? false
      }
  }
}
