package import NetworkSources
package import ThreadModel

extension ArchivePlan {
  /// Chooses the files of media that the threads' posts show, and the author's own posts that these quote, and notes those that the
  /// archive lacks.
  package mutating func chooseMedia(_ survey: ArchiveSurvey, in archive: XArchive) throws(ExportError) {
    let quoted = try archive.quotedPosts(self, survey)
    for position in survey.sorted where threadOf[Int(position)] >= 0 || quoted.contains(Int(position)) {
      let sketch = survey.sketches[Int(position)]
      for names in sketch.media where !names.isEmpty {
        let found = Self.fileNames(ids: [sketch.id] + sketch.versions.reversed(), names)
          .first { archive.layout.media[$0] != nil }
        if let found, let entry = archive.layout.media[found] {
          mediaWanted[entry.path] = found
        } else {
          mediaMissing.append("\(sketch.id)-\(names[0])")
        }
      }
    }
    chooseAvatar(survey, in: archive)
  }

  /// The names that a file may have, best first: the post's id, or that of another version of it, and the name.
  static func fileNames(ids: [UInt64], _ names: [String]) -> [String] {
    names.flatMap { name in ids.map { "\($0)-\(name)" } }
  }

  /// The names that the archive may have a media's file under.
  package static func fileNames(of media: Media, in post: Post) -> [String] {
    let ids = ([post.id] + post.earlierVersions.reversed()).compactMap { UInt64($0.value) }
    return fileNames(ids: ids, MediaNames.names(of: media))
  }

  private mutating func chooseAvatar(_ survey: ArchiveSurvey, in archive: XArchive) {
    guard !threads.isEmpty, let name = survey.avatar.flatMap(MediaNames.name) else { return }
    let entry =
      archive.layout.profileMedia["\(survey.author.id.value)-\(name)"] ?? archive.layout.profileMedia[name]
    guard let entry else { return }
    avatarPath = entry.path
    mediaWanted[entry.path] = Self.avatarName
  }

  /// No post's file is called so.
  static let avatarName = "avatar"
}
