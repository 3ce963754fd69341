import Basics
import CZlib

/// Writes zip files for books. The same content always produces the same bytes.
///
/// libarchive's zip writer adds times and owners to every entry. EPUB forbids these for the first entry (OCF 3.3, 4.2.2), and no option
/// disables them. So the zip structure is written here, and zlib compresses. Dates are the first day of the format, 1 January 1980. An
/// entry is completely in memory, so its size is written before it, and no seeking is needed. Format: APPNOTE.TXT 6.3.10 of PKWARE; its
/// 64-bit records are used only if they are needed.
struct ZipWriter: ~Copyable {
  private var file: OutgoingFile
  private var offset: UInt64 = 0
  private var directory = LittleEndianBytes()
  private var count: UInt64 = 0

  /// - Parameter path: the path of the file; `nil` for standard output.
  init(_ path: String?) throws(ExportFormatError) {
    do {
      file = try OutgoingFile(path)
    } catch {
      throw .file(error)
    }
  }

  enum Method { case stored, deflated }

  /// - Parameter name: an ASCII name that no other entry has.
  mutating func add(_ name: String, _ content: [UInt8], _ method: Method) throws(ExportFormatError) {
    guard content.count < UInt32.max else { throw .tooLarge(name) }
    let checksum = content.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, uInt($0.count)))
    }
    let compressed = method == .deflated ? try Deflater().deflate(content) : content
    // Content that compression does not make smaller is stored.
    let isSmaller = method == .deflated && compressed.count < content.count
    let data = isSmaller ? compressed : content

    var common = LittleEndianBytes()
    // No flags, because names are ASCII.
    common.append(0 as UInt16)
    common.append(UInt16(isSmaller ? 8 : 0))
    // The time and the date: 1 January 1980, 0:00.
    common.append(UInt16(0))
    common.append(UInt16(1 << 5 | 1))
    common.append(checksum)
    common.append(UInt32(data.count))
    common.append(UInt32(content.count))
    common.append(UInt16(name.utf8.count))

    var header = LittleEndianBytes()
    header.append(0x0403_4b50 as UInt32)
    header.append(20 as UInt16)
    header.bytes += common.bytes
    header.append(0 as UInt16)
    header.bytes += Array(name.utf8)

    let isFar = offset >= UInt64(UInt32.max)
    directory.append(0x0201_4b50 as UInt32)
    directory.append((isFar ? 45 : 20) as UInt16)
    directory.append((isFar ? 45 : 20) as UInt16)
    directory.bytes += common.bytes
    directory.append((isFar ? 12 : 0) as UInt16)
    // No comment, the first disk, no attributes.
    directory.bytes += [UInt8](repeating: 0, count: 2 + 2 + 2 + 4)
    directory.append(isFar ? UInt32.max : UInt32(offset))
    directory.bytes += Array(name.utf8)
    if isFar {
      directory.append(1 as UInt16)
      directory.append(8 as UInt16)
      directory.append(offset)
    }
    count += 1
    try write(header.bytes)
    try write(data)
  }

  /// Writes the central directory, and moves the file into place.
  mutating func finish() throws(ExportFormatError) {
    let start = offset
    let size = UInt64(directory.bytes.count)
    try write(directory.bytes)
    var end = LittleEndianBytes()
    if count >= UInt64(UInt16.max) || start >= UInt64(UInt32.max) || size >= UInt64(UInt32.max) {
      let place = offset
      end.append(0x0606_4b50 as UInt32)
      end.append(44 as UInt64)
      end.append(45 as UInt16)
      end.append(45 as UInt16)
      end.append(0 as UInt32)
      end.append(0 as UInt32)
      end.append(count)
      end.append(count)
      end.append(size)
      end.append(start)
      end.append(0x0706_4b50 as UInt32)
      end.append(0 as UInt32)
      end.append(place)
      end.append(1 as UInt32)
    }
    end.append(0x0605_4b50 as UInt32)
    end.append(0 as UInt16)
    end.append(0 as UInt16)
    end.append(UInt16(clamping: count))
    end.append(UInt16(clamping: count))
    end.append(UInt32(clamping: size))
    end.append(UInt32(clamping: start))
    end.append(0 as UInt16)
    try write(end.bytes)
    do {
      try file.finish()
    } catch {
      throw .file(error)
    }
  }

  private mutating func write(_ bytes: [UInt8]) throws(ExportFormatError) {
    do {
      try file.write(bytes)
    } catch {
      throw .file(error)
    }
    offset += UInt64(bytes.count)
  }
}

/// Bytes with numbers in little-endian order, as zip files require.
private struct LittleEndianBytes {
  var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// A zlib stream, which is freed when the value is destroyed.
private struct Deflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(ExportFormatError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = czlib_deflate_raw_init(stream, 9)
    guard code == Z_OK else { throw .compression(code: code) }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses the whole content at once.
  func deflate(_ content: [UInt8]) throws(ExportFormatError) -> [UInt8] {
    let room = Int(deflateBound(stream, uLong(content.count)))
    var code = Z_OK
    // zlib declares its input pointer as mutable, but does not change the input.
    var content = content
    let result = content.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: room) { output, filled in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = uInt(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(room)
        code = CZlib.deflate(stream, Z_FINISH)
        filled = room - Int(stream.pointee.avail_out)
      }
    }
    guard code == Z_STREAM_END else { throw .compression(code: code) }
    return result
  }
}
