import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite("Old, new and modified layouts of archives")
struct LayoutTests {
  private let expected = [["one", "two & more", "three"]]

  @Test func folderGivesTheSameAsTheZip() throws {
    let folder = try TemporaryFolder()
    let archive = Invented(Invented.posts)
    let unpacked = try archive.unpacked(in: folder)
    let zipped = try Imported(archive.zip(in: folder)).conversations
    #expect(zipped == (try Imported(unpacked).conversations))
    #expect(zipped == (try Imported(unpacked + "/data").conversations))
    #expect(zipped == (try Imported(folder.path).conversations), "data/ is in another folder")
  }

  @Test(arguments: ["data/tweet.js", "data/tweets-part1.js", "twitter-2024-abc/data/tweets.js", "tweets.js"])
  func readsAllFormerNamesOfThePostsFile(file: String) throws {
    var archive = Invented(Invented.posts, file: file)
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    for name in ["account.js", "profile.js", "manifest.js"] {
      archive.files[folder.isEmpty ? name : "\(folder)/\(name)"] = archive.files["data/\(name)"]
      if folder != "data" { archive.files["data/\(name)"] = nil }
    }
    #expect(try Imported(archive).texts == expected)
  }

  @Test func joinsPartsAndCommunityPosts() throws {
    var archive = Invented(Array(Invented.posts[..<1]))
    for (index, post) in Invented.posts.dropFirst().enumerated() {
      archive.files["data/tweets-part\(index + 1).js"] = Invented.script("tweets", ["{\"tweet\":\(post)}"])
    }
    archive.files["data/community-tweet.js"] = Invented.script(
      "community_tweet", ["{\"tweet\":\(Invented.post(104, "in a community", answers: 103))}"])
    #expect(try Imported(archive).texts == [["one", "two & more", "three", "in a community"]])
  }

  @Test func readsPostsWithoutWrappersAndManifest() throws {
    let imported = try Imported(Invented(Invented.posts, wrapped: false, date: nil))
    #expect(imported.texts == expected)
    #expect(imported.survey.date?.iso8601 == "2020-01-01T02:10:00Z", "the time of the latest post")
  }

  @Test func readsReformattedFiles() throws {
    var archive = Invented(Invented.posts)
    let text = try #require(archive.files["data/tweets.js"])
    let keys = text.replacing(#/"(\w+)":/#) { "\($0.1): " }.replacing("\"alone\"", with: "'al\\'one \"'")
    archive.files["data/tweets.js"] =
      "\u{FEFF}" + keys.replacing("}\n]", with: "},\r\n];\n").replacing("= [", with: "=\n[")
    var choice = ExportChoice()
    choice.minPosts = 1
    #expect(try Imported(archive, choice).texts == expected + [["al'one \""]])
  }

  @Test func numbersMayBeNumbersAndEntitiesNull() throws {
    let archive = Invented([
      #"{"id":101,"text":"one","created_at":"Wed Jan 01 01:41:00 +0000 2020","entities":null,"favorite_count":3}"#,
      #"{"id":102,"id_str":null,"full_text":"two","in_reply_to_status_id":101,"in_reply_to_user_id":7,"extended_entities":{"media":null}}"#,
    ])
    #expect(try Imported(archive).texts == [["one", "two"]])
  }

  @Test(arguments: [
    ("window.YTD.tweets.part0 = [ {\"tweet\": f(1)} ]", 1, 39),
    ("window.YTD.tweets.part0 = [\n {\"tweet\": {\"id_str\": \"1\",, }}\n]", 2, 27),
    ("alert(1); window.YTD.tweets.part0 = [ ]", 1, 37),
    ("window.YTD.tweets.part0 = [ 3 ]", 1, 29),
    ("window.YTD.tweets.part0 = [ {} ]; alert(1)", 1, 35),
    ("window.YTD.tweets.part0 = [ {} {} ]", 1, 32),
  ])
  func rejectsInvalidJSONWithItsPlace(text: String, line: Int, column: Int) throws {
    var archive = Invented(Invented.posts)
    archive.files["data/tweets.js"] = text
    let folder = try TemporaryFolder()
    let path = try archive.zip(in: folder)
    let error = #expect(throws: SourceError.self) { _ = try Imported(path) }
    #expect(
      error?.description.hasPrefix("\(path)/data/tweets.js:\(line):\(column): error: ") == true,
      "\(error?.description ?? "")")
  }

  @Test func importsMediaOfKeptThreadsOnly() throws {
    func media(_ id: Int, _ name: String) -> String {
      """
      "entities":{"media":[{"id_str":"\(id)0","type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.twimg.com/media/\(name).jpg"}]}
      """
    }
    let video = """
      "extended_entities":{"media":[{"id_str":"1030","type":"video","url":"https://t.co/v",
      "media_url_https":"https://pbs.twimg.com/ext_tw_video_thumb/1030/v.jpg","video_info":{"variants":[
      {"bitrate":"256","content_type":"video/mp4","url":"https://video.twimg.com/v/small.mp4?tag=1"},
      {"bitrate":"832","content_type":"video/mp4","url":"https://video.twimg.com/v/large.mp4?tag=1"},
      {"content_type":"application/x-mpegURL","url":"https://video.twimg.com/v/list.m3u8"}]}}]}
      """
    for folder in ["data/tweets_media", "data/tweet_media"] {
      var archive = Invented([
        Invented.post(101, "one https://t.co/m", answers: nil, of: nil, media(101, "a")),
        Invented.post(102, "two", answers: 101, of: nil, media(102, "gone")),
        Invented.post(103, "three", answers: 102, of: nil, video),
        Invented.post(110, "alone", answers: nil, of: nil, media(110, "b")),
      ])
      for name in ["101-a.jpg", "110-b.jpg", "103-small.mp4", "103-large.mp4", "101-other.jpg"] {
        archive.media["\(folder)/\(name)"] = Array(name.utf8)
      }
      archive.media["data/profile_media/7-me.jpg"] = [1, 2]
      let imported = try Imported(archive)
      let posts = try #require(imported.conversations.first).posts
      #expect(posts.map { $0.media.first?.file } == ["stored-101-a.jpg", nil, "stored-103-large.mp4"])
      #expect(posts[0].media[0].id == "3_1010" && posts[0].media[0].isFileFromArchive)
      #expect(posts[0].media[0].width == 9 && posts[0].text.text == "one")
      #expect(posts[1].media[0].url == "https://pbs.twimg.com/media/gone.jpg")
      #expect(imported.plan.mediaMissing == ["102-gone.jpg"])
      #expect(
        imported.plan.mediaWanted.sorted() == ["101-a.jpg", "103-large.mp4", "avatar"])
      #expect(imported.conversations.first?.author?.avatarFile == "stored-avatar")
    }
  }
}
