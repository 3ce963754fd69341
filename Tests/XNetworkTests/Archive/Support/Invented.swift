import Foundation
import NetworkSources
import TestSupport
import ThreadModel
import XNetwork

/// An archive of an invented account, as the zip file or folder that X would give.
struct Invented {
  /// Files by path.
  var files: [String: String] = [:]
  var media: [String: [UInt8]] = [:]

  static let me = "7"

  init(
    _ posts: [String] = [], file: String = "data/tweets.js", wrapped: Bool = true,
    date: String? = "2024-01-01"
  ) {
    files[file] = Self.script("tweets", posts.map { wrapped ? "{\"tweet\":\($0)}" : $0 })
    files["data/account.js"] = Self.script(
      "account",
      [
        #"{"account":{"email":"POISON","username":"ada","accountId":"7","createdAt":"2010-02-09T17:10:05.000Z","accountDisplayName":"Ada"}}"#
      ])
    files["data/profile.js"] = Self.script(
      "profile",
      [
        #"{"profile":{"description":{"bio":"counts","website":"https://ada.example","location":"Berlin"},"avatarMediaUrl":"./data/profile_media/me.jpg"}}"#
      ])
    if let date { files["data/manifest.js"] = Self.manifest(date: date) }
  }

  /// A manifest in X's format: every value is a string, and files are listed by kind.
  static func manifest(
    date: String = "2024-01-01", counts: [(file: String, count: String)] = [], account: String = me,
    isPartial: Bool = false
  ) -> String {
    let types = counts.enumerated().map { index, entry in
      let count = entry.count.isEmpty ? "" : ",\"count\":\"\(entry.count)\""
      return
        "\"type\(index)\":{\"mediaDirectory\":\"data/tweets_media\",\"files\":[{\"fileName\":\"data/\(entry.file)\"\(count)}]}"
    }
    return """
      window.__THAR_CONFIG = {"userInfo":{"accountId":"\(account)","userName":"ada"},
      "archiveInfo":{"generationDate":"\(date)T00:00:00.000Z","isPartialArchive":\(isPartial)},
      "dataTypes":{\(types.joined(separator: ","))}}
      """
  }

  static func script(_ name: String, _ elements: [String]) -> String {
    "window.YTD.\(name).part0 = [\n  " + elements.joined(separator: ",\n  ") + "\n]"
  }

  /// A post of the account. Its ID is a number of minutes since 2020.
  static func post(
    _ id: Int, _ text: String, answers: Int? = nil, of author: String? = nil, _ more: String = ""
  ) -> String {
    let date = Date(timeIntervalSince1970: 1_577_836_800 + Double(id) * 60)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE MMM dd HH:mm:ss +0000 yyyy"
    var members = [
      "\"id_str\":\"\(id)\"", "\"id\":\"\(id)\"", "\"full_text\":\"\(text)\"", "\"favorite_count\":\"\(id)\"",
      "\"created_at\":\"\(formatter.string(from: date))\"",
    ]
    if let answers {
      members.append("\"in_reply_to_status_id_str\":\"\(answers)\"")
      members.append("\"in_reply_to_user_id_str\":\"\(author ?? me)\"")
      if author != nil { members.append("\"in_reply_to_screen_name\":\"bob\"") }
    }
    return "{" + members.joined(separator: ",") + (more.isEmpty ? "" : "," + more) + "}"
  }

  /// A thread of three posts, a single post, a reply to someone, and a repost.
  static let posts = [
    post(103, "three", answers: 102), post(101, "one"), post(102, "two &amp; more", answers: 101),
    post(110, "alone"), post(120, "no", answers: 119, of: "8"), post(130, "RT @bob: something that was"),
  ]

  var entries: [ZipWriter.Entry] {
    files.sorted { $0.key < $1.key }.map { ZipWriter.Entry($0.key, $0.value) }
      + media.sorted { $0.key < $1.key }.map { ZipWriter.Entry($0.key, $0.value) }
  }

  func zip(in folder: TemporaryFolder, named name: String = "archive.zip") throws -> String {
    try folder.write(Data(ZipWriter.zip(entries)), to: name)
    return folder.path + "/" + name
  }

  func unpacked(in folder: TemporaryFolder, named name: String = "archive") throws -> String {
    for entry in entries {
      try folder.write(Data(entry.data), to: name + "/" + String(decoding: entry.name, as: UTF8.self))
    }
    return folder.path + "/" + name
  }
}

/// The result of importing an archive.
struct Imported {
  var conversations: [Conversation] = []
  var plan: ArchivePlan
  var survey: ArchiveSurvey
  var archive: XArchive
  var notes = 0

  init(_ path: String, _ choice: ExportChoice = ExportChoice()) throws(SourceError) {
    archive = try XArchive.open(path)
    survey = try archive.readSurvey()
    plan = try ArchivePlan(survey, choice)
    var files: [String: ArchivedMedia] = [:]
    try plan.readMedia(plan.mediaWanted) { (name, content) throws(SourceError) in
      var count = 0
      while let piece = try content.next() { count += piece.count }
      files[name] = ArchivedMedia(file: "stored-\(name)", width: count, height: count)
    }
    var conversations: [Conversation] = []
    notes = try plan.conversations(files: files) { conversations.append($0) }
    self.conversations = conversations.sorted { $0.id < $1.id }
  }

  var texts: [[String]] { conversations.map { $0.posts.map(\.text.text) } }

  init(_ invented: Invented, _ choice: ExportChoice = ExportChoice()) throws {
    let folder = try TemporaryFolder()
    try self.init(invented.zip(in: folder), choice)
  }
}
