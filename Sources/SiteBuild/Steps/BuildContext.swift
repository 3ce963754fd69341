import Basics
import SiteOutput
import SiteWorkspace

/// The data that all steps of a build share, with access to the staging folder of the new site.
///
/// It is an immutable class because every step has it: the value has three kilobytes, and the stack of a system thread has 512 KB on some
/// systems.
final class BuildContext: Sendable {
  let site: SiteFolder
  let options: SiteBuild.Options
  let progress: ProgressHandler
  /// The state of the last build; `nil` for a build without the cache.
  let last: LastBuild?
  /// All inputs of threads' bodies and pages besides the threads.
  let environment: BuildEnvironment
  let staged: StagedSite
  /// The style sheets with other names than in the last build; `nil` if pages of the last build differ in more than these names.
  private let renamed: RenamedSheets?

  init(
    site: SiteFolder, options: SiteBuild.Options, progress: @escaping ProgressHandler, last: LastBuild?,
    environment: BuildEnvironment, staged: StagedSite
  ) {
    self.site = site
    self.options = options
    self.progress = progress
    self.last = last
    self.environment = environment
    self.staged = staged
    renamed = last?.build.flatMap { RenamedSheets(from: $0.site.environment, to: environment) }
  }

  /// The number of system threads.
  var jobs: Int { options.jobs }

  /// Makes values in parallel.
  ///
  /// - Returns: the values in no particular order.
  /// - Throws: the error of the first position. A mistake in a template is the same on every page, so one report is enough.
  func collect<Value: Sendable>(
    _ count: Int, _ make: @Sendable (_ position: Int) throws(PipelineError) -> Value?
  ) throws(PipelineError) -> some Sequence<Value> {
    let parts = ParallelWork.run(
      count: count, jobs: jobs,
      makeState: { (values: [Value](), failures: [(position: Int, error: PipelineError)]()) }
    ) { position, part in
      do throws(PipelineError) {
        if let value = try make(position) { part.values.append(value) }
      } catch {
        part.failures.append((position, error))
      }
    }
    if let failure = parts.flatMap(\.failures).min(by: { $0.position < $1.position }) {
      throw failure.error
    }
    return parts.map(\.values).joined()
  }

  /// Creates a temporary file for data that is needed once all threads are known, or by the next build.
  func spool(_ name: String) throws(PipelineError) -> SpoolFile {
    try withOutput { () throws(SiteOutputError) in try staged.spool(name) }
  }

  /// Keeps a file of the existing site unchanged.
  ///
  /// - Parameter signature: the signature of the file when it was checked.
  func keep(_ path: SitePath, _ signature: FileSignature) throws(PipelineError) {
    do {
      try staged.keep(path, signature)
    } catch .writtenTwice {
      // Two threads have the same page. ``SiteValidator`` reports both from their summaries, whichever came first.
    } catch {
      throw PipelineError(error)
    }
  }

  /// Keeps a page of the last build whose other inputs are unchanged. If style sheets have changed, their names are replaced.
  ///
  /// - Parameter signature: the signature of the page when it was checked.
  /// - Returns: `false` if the page must be rendered.
  func reuse(_ path: SitePath, _ signature: FileSignature) throws(PipelineError) -> Bool {
    guard let renamed else { return false }
    guard !renamed.isEmpty else {
      try keep(path, signature)
      return true
    }
    // A page that can no longer be read is rendered.
    guard let old = try? FileBytes.read("\(site.output)/\(path.file)"), let new = renamed.replaced(in: old)
    else { return false }
    try withOutput { () throws(SiteOutputError) in try staged.write(new, to: path) }
    return true
  }

  /// Writes files to the staging folder.
  func write(_ files: [(path: SitePath, content: UTF8Buffer)]) throws(PipelineError) {
    try withOutput { () throws(SiteOutputError) in
      for file in files { try staged.write(file.content.bytes, to: file.path) }
    }
  }

  /// Renders a page, and writes it to the staging folder.
  ///
  /// - Parameter capacity: the probable size of the page in bytes.
  func write<Value>(
    _ path: SitePath, capacity: Int, _ render: (inout UTF8Buffer) throws(SiteOutputError) -> Value
  ) throws(PipelineError) -> Value {
    try withOutput { () throws(SiteOutputError) in
      var html = UTF8Buffer(capacity: capacity)
      let value = try render(&html)
      try staged.write(html.bytes, to: path)
      return value
    }
  }
}

/// Converts an error of the output.
func withOutput<Value>(_ work: () throws(SiteOutputError) -> Value) throws(PipelineError) -> Value {
  do {
    return try work()
  } catch {
    throw PipelineError(error)
  }
}
