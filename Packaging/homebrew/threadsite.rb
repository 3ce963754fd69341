# A Homebrew formula, for use in a tap: https://docs.brew.sh/How-to-Create-and-Maintain-a-Tap
class Threadsite < Formula
  desc "Build static sites from threads on X, Bluesky and Mastodon"
  homepage "https://github.com/threadsite/threadsite"
  url "https://github.com/threadsite/threadsite.git", tag: "v0.1.0"
  license "Apache-2.0"
  head "https://github.com/threadsite/threadsite.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "cmark"
  depends_on "curl"
  depends_on "libarchive"
  depends_on "libxml2"
  depends_on "libyaml"
  depends_on macos: :sequoia
  depends_on "nettle"
  depends_on "secp256k1"
  depends_on "sqlite"
  depends_on "zlib"

  uses_from_macos "swift" => :build, since: :sequoia

  def install
    args = ["--disable-sandbox", "-c", "release", "--product", "threadsite"]
    args += ["--static-swift-stdlib"] if OS.linux?
    system "swift", "build", *args
    binary = Utils.safe_popen_read("swift", "build", *args, "--show-bin-path").chomp + "/threadsite"
    bin.install binary
    pkgshare.install "templates", "themes", "docs"
    # The program finds its files relative to its own path, below this formula's prefix.
    system bin/"threadsite", "help", "--write-man-pages", buildpath/"man"
    man1.install Dir["man/*.1"]
    man5.install Dir["man/*.5"]
    man7.install Dir["man/*.7"]
    generate_completions_from_executable(bin/"threadsite", "--generate-completion-script")
  end

  test do
    system bin/"threadsite", "init", "site", "--title", "A trial"
    cd "site" do
      (testpath/"answers.json").write <<~JSON
        {"data":[{"id":"7001","text":"Hello","author_id":"11","conversation_id":"7001"}],
        "includes":{"users":[{"id":"11","name":"Ada","username":"ada"}]}}
      JSON
      system bin/"threadsite", "import", testpath/"answers.json"
      system bin/"threadsite", "build", "--offline"
      assert_path_exists Pathname.pwd/"site/index.html"
    end
    assert_match "base_url", shell_output("#{bin}/threadsite help configuration")
  end
end
