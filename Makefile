# The two commands of the README are `make site` and `make test`; both install missing packages.

PREFIX ?= /usr/local
SWIFT ?= swift
# A binary that contains Swift's own library starts faster and runs on machines without Swift; macOS has the library. Without its symbols,
# it is smaller by two fifths, and without debug information, it compiles faster.
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker -s -Xswiftc -gnone)
# The release build has a folder of its own, because SwiftPM runs only one build per folder at a time, and CI builds the program beside the tests.
RELEASE_FOLDER = .build/program
RELEASE = $(SWIFT) build -c release --scratch-path $(RELEASE_FOLDER) $(STATIC)
BINARY = $(shell $(RELEASE) --show-bin-path)/threadsite

# Tests run with optimized code where they spend most of their time (Package.swift).
test build-tests test-deep test-crash test-peers: export THREADSITE_OPTIMIZED := 1

# Without a limit, all tests begin at once, hold thousands of files, and wait for each other.
TEST = $(SWIFT) test --disable-xctest --configuration-path Tests/parallel.json

# The version is defined only there.
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/ThreadsiteCLI/Threadsite.swift)
# Packages contain the time of the last commit, so that packing them again produces the same bytes.
ifeq ($(SOURCE_DATE_EPOCH),)
SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null)
endif
# Without git, the variable is empty, which compilers refuse.
ifneq ($(SOURCE_DATE_EPOCH),)
export SOURCE_DATE_EPOCH
endif

.PHONY: site test build-tests build print-binary pages install uninstall portable portable-program deb tarball wheel sbom apt release check-release verify-release test-deb test-wheel setup setup-tests documentation verify check-format check-prose test-deep test-memory test-threads test-crash test-growth fuzz docs-site check-site check-pages check-ci test-browser test-instructions test-peers test-checks clean

## Build the sample site of this repository and print its path.
site: build
	"$(BINARY)" build
	@echo
	@echo "The site is in $(CURDIR)/site. Preview it while you edit:"
	@echo "    $(BINARY) serve --open"

## Run all tests that are not deep; with MODULE=SiteOutput, the tests of one module.
MODULE ?=
test: setup setup-tests build-tests
	Tests/in-memory $(TEST) --skip-build $(if $(MODULE),--filter '^$(MODULE)Tests\.')

## Build the program and all tests in debug mode. Imports of targets that Package.swift does not declare are errors.
build-tests: setup
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error

## Build the release binary.
build: setup
	$(RELEASE) --product threadsite

## Print the path of the release binary, for scripts.
print-binary:
	@echo "$(BINARY)"

## Install missing system packages.
setup:
	@if pkg-config --exists libcmark libcurl libarchive libxml-2.0 zlib sqlite3 nettle yaml-0.1 libsecp256k1 2>/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -q -y libcmark-dev libcurl4-openssl-dev libarchive-dev libxml2-dev zlib1g-dev libsqlite3-dev nettle-dev libyaml-dev libsecp256k1-dev pkg-config; \
	elif command -v brew >/dev/null; then \
	  brew install cmark curl libarchive libxml2 zlib sqlite nettle libyaml secp256k1 pkgconf; \
	else \
	  echo "Please install libcmark, libcurl, libarchive, libxml2, zlib, SQLite, Nettle, libyaml and libsecp256k1 with their headers, and pkg-config." >&2; exit 1; \
	fi

## Install packages that only tests need: node runs the search script outside a browser. If it is not available, those tests report that they are skipped.
setup-tests:
	@if command -v node >/dev/null && command -v vipsthumbnail >/dev/null && command -v weasyprint >/dev/null \
	    && command -v pdftotext >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get install -q -y --no-install-recommends nodejs libvips-tools weasyprint poppler-utils fonts-dejavu-core \
	    || echo "node, libvips, WeasyPrint or Poppler could not be installed: the tests of the search's script, of smaller copies of photos, or of printed books are skipped." >&2; \
	elif command -v brew >/dev/null; then \
	  brew install node vips weasyprint poppler; \
	fi

## Write the files that are installed beside the program: its man pages, shell completions, and the licenses of linked libraries.
PAGES = .build/pages
pages: build
	CHECKOUTS=$(RELEASE_FOLDER)/checkouts SWIFT="$(SWIFT)" Packaging/pages "$(BINARY)" $(PAGES)

## Install the program, its templates, themes, documentation, man pages and completions below PREFIX.
install: pages
	Packaging/files install "$(BINARY)" $(PAGES) "$(DESTDIR)" "$(PREFIX)"

## Remove the installed files, and nothing else.
uninstall:
	Packaging/files uninstall "$(DESTDIR)" "$(PREFIX)"

## Build the program for any Linux with glibc 2.36 or later: all libraries except the C and C++ runtimes are linked statically, and paths of the
## checkout are left out. On Debian 12, Packaging/libraries/build makes the libraries. The same commit produces the same bytes in every folder.
## Packaging/icu leaves out what threadsite does not use of Foundation's data.
PORTABLE = .build/portable
PORTABLE_BINARY = $(PORTABLE)/release/threadsite
PORTABLE_PAGES = $(PORTABLE)/pages
LIBRARIES = $(CURDIR)/.build/libraries
PORTABLE_FLAGS = --package-path "$$source" --scratch-path "$$source/.build" --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -s -Xlinker --gc-sections \
  -Xlinker -O2 -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic -Xlinker --build-id=none \
  -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -file-prefix-map -Xswiftc "$$source=." -Xcc "-ffile-prefix-map=$$source=." -Xcc "-ffile-prefix-map=$(LIBRARIES)=."
# What the portable build builds; Tests/Packages/rebuild builds one target again in another folder.
ONLY ?= --product threadsite
portable-program: setup
	@Packaging/source >/dev/null
	Packaging/libraries/build "$(LIBRARIES)"
	source=$$(Packaging/source) && flags=$$(Packaging/icu $(SWIFT) .build/icu) && \
	  PKG_CONFIG_PATH="$(LIBRARIES)/lib/pkgconfig" $(SWIFT) build -c release $(PORTABLE_FLAGS) $$flags $(ONLY)
portable: portable-program
	CHECKOUTS=$(PORTABLE)/checkouts SWIFT="$(SWIFT)" DISTRIBUTED=yes Packaging/pages $(PORTABLE_BINARY) $(PORTABLE_PAGES)
	cp "$(LIBRARIES)"/licenses/* $(PORTABLE_PAGES)/licenses/

## Write a Debian package, a tarball or a Python wheel with the portable program into .build/packages.
PACKAGES ?= .build/packages
deb: portable
	Packaging/debian/build $(PORTABLE_BINARY) $(PORTABLE_PAGES) $(VERSION) $(PACKAGES)

tarball: portable
	Packaging/tarball $(PORTABLE_BINARY) $(PORTABLE_PAGES) $(VERSION) $(PACKAGES)
	Packaging/installer $(VERSION) $(PACKAGES)

wheel: portable
	Packaging/wheel/build $(PORTABLE_BINARY) $(PORTABLE_PAGES) $(VERSION) $(PACKAGES)

## Write the list of linked libraries (CycloneDX).
sbom: portable
	Packaging/sbom $(PORTABLE_BINARY) "$(LIBRARIES)" $(PORTABLE)/workspace-state.json $(SWIFT) $(VERSION) $(PACKAGES)/threadsite-$(VERSION)-$(shell uname -m).cdx.json

## Write an apt repository with the Debian package, signed by the gpg key with the fingerprint KEY, into APT.
APT ?= .build/apt
KEY ?=
apt: deb
	@[ -n "$(KEY)" ] || { echo "Say KEY=FINGERPRINT, a secret key of gpg." >&2; exit 1; }
	Packaging/apt $(APT) $(KEY) $(PACKAGES)/threadsite_$(VERSION)-1_*.deb

## Build all files of a release. TAG must be the tag of the version, and the changelog must contain the version.
release: check-release deb tarball wheel sbom
	cd $(PACKAGES) && sha256sum *$(VERSION)* install.sh >SHA256SUMS && cat SHA256SUMS

TAG ?= $(shell git describe --tags --exact-match 2>/dev/null)
check-release:
	@[ "$(TAG)" = "v$(VERSION)" ] || { echo "The tag is \"$(TAG)\", and should be v$(VERSION), as Sources/ThreadsiteCLI/Threadsite.swift says." >&2; exit 1; }
	@grep -q 'static let isReleased = true' Sources/ThreadsiteCLI/Threadsite.swift || { echo "Set Threadsite.isReleased in Sources/ThreadsiteCLI/Threadsite.swift to true." >&2; exit 1; }
	@grep -q '^## $(subst .,\.,$(VERSION))\b' CHANGELOG.md || { echo "CHANGELOG.md has no heading \"## $(VERSION)\"." >&2; exit 1; }

## Build the files of a release again, in another folder, and compare their bytes with those in FROM, which has the downloaded files.
FROM ?= $(PACKAGES)
verify-release:
	Packaging/verify $(TAG) $(FROM)

## Test installing and removing the results of `make install`, `make deb`, `make tarball` and `make apt`, every man page, the package on a fresh
## Debian, and that object files do not depend on the folder of the build.
test-deb: deb tarball sbom
	Tests/Packages/rebuild
	Tests/Packages/run $(PORTABLE_BINARY) $(PORTABLE_PAGES) $(PACKAGES)/threadsite_$(VERSION)-1_*.deb $(PACKAGES)

## Test the wheel: with third-party tools, in a virtual environment, and on a fresh Debian 12 and 13 with only Python.
test-wheel: wheel
	Tests/Wheel/run $(PORTABLE_BINARY) $(PORTABLE_PAGES) $(PACKAGES)/threadsite-$(VERSION)-py3-none-*.whl

## Write the reference of the library and of the modules, with an article about the pipeline, into .build/documentation.
documentation: setup
	Packaging/documentation $(SWIFT) .build/documentation

## Run the deep checks and record those that pass in .ci/verified.json: `make verify CHECKS="memory fuzz"`, `make verify CHECKS=due`.
CHECKS ?=
verify:
	.ci/checks.py verify $(CHECKS)

## Check the formatting of the code.
check-format:
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Examples Package.swift

## Check docs, comments, messages and names of tests for English that is hard to read: `make check-prose RECORD=1` lowers the baseline.
RECORD ?=
check-prose:
	Tests/Prose/run $(if $(RECORD),--record)

## Run all tests with the number of cases of the deep run, including tests that compare with other software; crash tests have a separate target.
test-deep: setup setup-tests
	THREADSITE_DEEP=1 $(TEST) --skip '(KilledRunsTests|DiskFaultTests)'

## Run the tests of the code that owns C memory under the address sanitizer, which also finds leaks.
MEMORY = SiteConfig,MarkdownHTML,HTTPTransport,XNetwork,MastodonNetwork
test-memory: setup
	THREADSITE_TESTS=$(MEMORY) ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt:print_suppressions=0 \
	  $(TEST) --sanitize=address --scratch-path .build/asan

## Run the tests of multithreaded code under the thread sanitizer, with locks that it supports (Tests/SanitizedLocks). Tests of memory limits and of
## killed programs are left out, because the sanitizer would affect their results. Long tests of single-threaded code are also left out.
PARALLEL = (HTTPTransportTests|MediaMirrorTests|BasicsTests.*(AtomicFile|SpoolFile|FileBytes|Link|AbandonedFile|FileSystem)|ThreadStoreTests|SearchIndexTests|MastodonThreadTests|XNetworkTests.*(Waiting|Paging|ResponseCache|Exchange|Fallback|Fault|KnownThread|Recheck|Source|ThreadEntry)|ProgramTests.*(FetchingTests|MirrorTests|RepeatedBuild|KeepGoing|RelatedThreads|PublishedMedia|SiteLinks))
test-threads: setup
	THREADSITE_SANITIZE=thread TSAN_OPTIONS=second_deadlock_stack=1:suppressions=$(CURDIR)/Tests/races.txt \
	  $(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/tsan \
	  --no-parallel --filter '$(PARALLEL)'

## Fuzz the readers of untrusted bytes: `make fuzz TIME=3600` (seconds for all targets together), `make fuzz TARGET=json`.
TIME ?= 600
fuzz: setup
	SWIFT="$(SWIFT)" Tests/Fuzz/run $(TIME) $(TARGET)

## Kill imports, builds and fetches at random moments, KILLS times each, and run them on full and read-only disks.
KILLS ?= 20
test-crash: setup
	THREADSITE_DEEP=1 THREADSITE_KILLS=$(KILLS) $(TEST) --filter '(KilledRunsTests|DiskFaultTests)'

## Count the instructions of each stage at three input sizes with valgrind; costs that grow faster than their input are errors. `make test-growth CLAIM=unrolling`
## checks only the claims with this text in their name.
CLAIM ?=
test-growth: setup setup-tests
	@if ! command -v valgrind >/dev/null && command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo apt-get install -q -y --no-install-recommends valgrind || true; \
	fi
	$(RELEASE) --product growth
	Tests/Growth/run "$$($(RELEASE) --show-bin-path)/growth" "$(CLAIM)"

## Build the documentation as a site, with the sample threads as a demo, into .build/docs.
docs-site: build
	Packaging/docs-site/make "$(BINARY)" .build/docs

## Check the sample site, its threads as a book, and the documentation as a site, with third-party tools: HTML, feeds, links, structured data, EPUB.
check-site: site docs-site
	"$(BINARY)" build --quiet --base-url https://threads.example/below/a/path/ --output .build/site-below-a-path
	"$(BINARY)" export epub --quiet --output .build/threads.epub
	Tests/SiteChecks/run site .build/site-below-a-path .build/docs .build/threads.epub

## Check the workflows that `threadsite init --ci` writes with third-party tools: schemas, and known unsafe constructs.
check-ci: build
	Tests/Workflows/run "$(BINARY)"

## Count the instructions of a build and an import with valgrind, and compare them with the recorded ones.
test-instructions: build
	@if ! command -v valgrind >/dev/null && command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo apt-get install -q -y --no-install-recommends valgrind || true; \
	fi
	Benchmarks/instructions.py "$(BINARY)"

## Check one page of each kind of the sample site in Chromium.
check-pages: build
	Tests/Browser/run --quick "$(BINARY)"

## Check the sample site in three browsers with every theme. Then, unless TRY=no, break it to show that the checks can fail.
TRY ?= yes
test-browser: build
	Tests/Browser/run "$(BINARY)"
	@[ "$(TRY)" = no ] || Tests/Browser/run --try "$(BINARY)"

## Fetch and import from third-party servers, publish to some, and compare the results; skipped for servers that cannot be installed.
test-peers: build
	Tests/Peers/run "$(BINARY)"
	Tests/Peers/servers
	$(TEST) --filter 'PublishingTests.(S3|Rsync|Git|Atproto)'

## Plant faults in a copy of the repository, and show that the checks find each of them: `make test-checks FAULTS="leak race"`.
FAULTS ?=
test-checks:
	Tests/Faults/run $(FAULTS)

clean:
	rm -rf .build site
