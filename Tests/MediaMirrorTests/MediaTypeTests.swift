import MediaMirror
import Testing

@Suite struct MediaTypeTests {
  @Test func recognizesEachTypeByItsBytes() {
    let types = Samples.all.map { MediaType(head: Array($0.prefix(256))) }
    #expect(types == [.png, .gif, .jpeg, .webp, .webp, .webp, .avif, .mp4, .mp4])
  }

  @Test(arguments: [
    "", "<", "<!DOCTYPE html><html>", "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "\u{FEFF}<?xml version='1.0'?><svg/>", "#EXTM3U\n", "GIF88a", "RIFF\u{1}\u{1}\u{1}\u{1}AVI ", "%PDF-1.7",
    "BM123456",
    "{\"errors\":[]}", "II*\0", "OggS",
  ])
  func rejectsEverythingElse(_ text: String) {
    #expect(MediaType(head: Array(text.utf8)) == nil)
  }

  @Test(arguments: ["heic", "qt  ", "crx ", "3gp4"])
  func rejectsContainersThatBrowsersDoNotShow(_ brand: String) {
    #expect(
      MediaType(head: Samples.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array(brand.utf8))) == nil)
  }

  @Test func findsTheBrandAmongCompatibleBrands() {
    let brands = { (names: String) in Samples.box("ftyp", Array(names.utf8)) }
    #expect(MediaType(head: brands("mif1\0\0\0\0miafavif")) == .avif)
    #expect(MediaType(head: brands("heic\0\0\0\0mif1isom")) == nil)
    #expect(MediaType(head: brands("qt  \0\0\0\0mp42")) == .mp4)
    #expect(MediaType(head: brands("iso5\0\0\0\0iso6")) == .mp4)
  }

  @Test func rejectsATruncatedBox() {
    let whole = Samples.box("ftyp", Array("isom\0\0\0\0isom".utf8))
    for length in 0..<16 { #expect(MediaType(head: Array(whole.prefix(length))) == nil) }
    #expect(MediaType(head: Samples.big(8, 4) + Array("ftypisom\0\0\0\0isom".utf8)) == nil)
  }
}
