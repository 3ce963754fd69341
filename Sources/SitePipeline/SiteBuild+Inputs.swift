import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Wording

extension SiteBuild {
  /// What a build is made from beside the configuration; the conversations themselves are read one by one.
  struct Inputs: Sendable {
    let wording: Wording
    let components: ThreadComponents
    let theme: Theme
    let themeOptions: ThemeOptionValues
    let permalinks: Permalinks
    /// Of the store's listing, those that are not left out.
    var files: [StoredFile]
    /// Who wrote them.
    var authors: AuthorDirectory
    /// What the build goes on without.
    var leftOut: [WrittenThreads.Failure] = []
  }

  /// Loads all of it.
  ///
  /// - Throws: one error with everything that is wrong. What is found wrong here stops the build before a page is rendered, so
  ///   the store is looked through as well: whoever mends a template should not find a damaged thread behind it.
  func load() throws(PipelineError) -> Inputs {
    let looks = Result { () throws(PipelineError) in try loadLooks() }
    let permalinks = Result { () throws(PipelineError) in try loadPermalinks() }
    let files = Result { () throws(PipelineError) in try listStore() }
    var problems = [looks.problem, permalinks.problem, files.problem].compactMap(\.self)
    if problems.isEmpty {
      let looks = try looks.get()
      warn(of: looks)
      let listed = try files.get()
      return Inputs(
        wording: looks.words.wording, components: looks.components, theme: looks.theme,
        themeOptions: looks.options, permalinks: try permalinks.get(), files: listed,
        authors: authorDirectory(listed))
    }
    if case .success(let files) = files {
      do throws(PipelineError) {
        problems += storeProblems(files, selection: try threadSelection(authorDirectory(files)))
      } catch {
        problems.append(error)
      }
    }
    throw PipelineError(problems)
  }

  /// What is wrong with the conversations, without rendering one.
  private func storeProblems(_ files: [StoredFile], selection: ThreadSelection) -> [PipelineError] {
    let store = ThreadStore(folder: site.store)
    let results = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: WrittenThreads.init) {
      position, written in
      do throws(PipelineError) {
        written.note(try selection.settings(for: read(files[position], from: store)))
      } catch {
        written.failures.append(
          WrittenThreads.Failure(position: position, file: files[position], error: error))
      }
    }
    var written = WrittenThreads()
    for result in results { written.add(result) }
    return problems(of: written, selection: selection)
  }
}
