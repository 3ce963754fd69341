import JSONText
import ThreadModel

extension ArchiveSighting {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init(date: nil, isOnlySource: false)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "date": date = try reader.readTimestamp()
      case "only_source": isOnlySource = try reader.readBool()
      default: throw reader.unknown(key, in: "archive sighting")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("date", ifKnown: date)
      if isOnlySource { writer.member("only_source", true) }
    }
  }
}
