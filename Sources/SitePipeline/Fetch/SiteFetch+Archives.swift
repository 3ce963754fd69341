extension SiteFetch {
  /// Reads the archives that site.yml lists, where they changed since they were read last.
  func importArchives(_ tasks: [FetchTask], tally: FetchTally) throws(PipelineError) {}
}
