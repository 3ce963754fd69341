import Basics
import Foundation
import InterfaceText
import SiteOutput
import TestSupport
import Testing

/// `threads.json` of a site that is larger than one piece.
@Suite struct DataIndexTests {
  private static let count = 2000
  private let site = Samples.site()
  private let index: SiteIndex

  init() {
    var threads = Samples.threads(Self.count)
    for position in threads.indices where position.isMultiple(of: 10) {
      threads[position].isHiddenFromSearch = true
    }
    index = SiteIndex(threads, calendar: .utc)
  }

  private func ids(_ data: Data) throws -> [String] {
    let list = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(list["threads"] as? [[String: Any]]).compactMap { $0["id"] as? String }
  }

  @Test func piecesAreOneListOfAllThreads() throws {
    var pieces: [Data] = []
    DataIndex.writeList(site: site, index: index) { pieces.append(Data($0.bytes)) }
    let expected = (0..<Self.count).reversed().filter { !$0.isMultiple(of: 10) }.map { "\(1000 + $0)" }
    #expect(pieces.count > 1)
    #expect(pieces.allSatisfy { $0.count < 300_000 })
    #expect(try ids(Data(pieces.joined())) == expected)
    #expect(
      DataIndex.text(site: site, index: index, pages: []).string.contains("\(expected.count) threads as JSON")
    )
  }

  /// The list of the owner replaces the generated one, and the same list is not written again.
  @Test func piecesBecomeOneFile() throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/site"
    func publish(owned: Bool = false) throws {
      let staged = try StagedSite(output: output, force: false)
      if owned {
        try folder.write("mine", to: "threads.json")
        try staged.copyOwn(from: folder.path + "/threads.json", to: DataIndex.threadsPath)
      }
      try staged.write(inPieces: DataIndex.threadsPath) { append throws(SiteOutputError) in
        try DataIndex.writeList(site: site, index: index, append: append)
      }
      try staged.publish()
    }
    func modified() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: output + "/threads.json")[.modificationDate] as? Date
    }
    try publish()
    #expect(try folder.tree("site").keys.sorted() == [".threadsite", "threads.json"])
    #expect(try ids(Data(folder.text("site/threads.json").utf8)).count == Self.count * 9 / 10)
    let first = try modified()
    try publish()
    #expect(try modified() == first)
    try publish(owned: true)
    #expect(try folder.text("site/threads.json") == "mine")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["site", "threads.json"])
  }
}
