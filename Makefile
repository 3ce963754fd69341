# The two commands of the README are `make site` and `make test`; both install what is missing.

PREFIX ?= /usr/local
SWIFT ?= swift
# A binary that carries Swift's own library starts faster and runs on machines without Swift; macOS has the library. Without its symbols it
# is smaller by two fifths, and without debug information it compiles faster.
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker -s -Xswiftc -gnone)
BINARY = $(shell $(SWIFT) build -c release $(STATIC) --show-bin-path)/threadsite

# The one place that has it.
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/ThreadsiteCLI/Threadsite.swift)
# What is packaged bears the time of the last change, so that packing it again gives the same bytes.
ifeq ($(SOURCE_DATE_EPOCH),)
SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null)
endif
# Compilers refuse an empty one, which is what there is without git.
ifneq ($(SOURCE_DATE_EPOCH),)
export SOURCE_DATE_EPOCH
endif

.PHONY: site test build-tests build print-binary pages install uninstall deb tarball release check-release test-deb setup setup-tests documentation verify check-format check-prose test-deep test-memory test-threads test-crash test-growth fuzz check-site check-pages check-ci test-browser test-instructions test-peers test-checks clean

## Build the sample site of this repository and say where it is.
site: build
	$(BINARY) build
	@echo
	@echo "The site is in $(CURDIR)/site. To look at it, and to go on looking while you change something:"
	@echo "    $(BINARY) serve --open"

## Run every test that is not deep, or with MODULE=SiteOutput the tests of one module.
MODULE ?=
test: setup setup-tests build-tests
	$(SWIFT) test --skip-build --disable-xctest $(if $(MODULE),--filter '^$(MODULE)Tests\.')

## The debug build of the program and all tests. It rejects an import of a target that Package.swift does not declare.
build-tests: setup
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error

## The release binary.
build: setup
	$(SWIFT) build -c release $(STATIC) --product threadsite

## Where the release binary is, for scripts.
print-binary:
	@echo $(BINARY)

## Install the system packages that are missing.
setup:
	@if pkg-config --exists libcmark libcurl libarchive libxml-2.0 zlib sqlite3 nettle yaml-0.1 2>/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -q -y libcmark-dev libcurl4-openssl-dev libarchive-dev libxml2-dev zlib1g-dev libsqlite3-dev nettle-dev libyaml-dev pkg-config; \
	elif command -v brew >/dev/null; then \
	  brew install cmark curl libarchive libxml2 zlib sqlite nettle libyaml pkgconf; \
	else \
	  echo "Please install libcmark, libcurl, libarchive, libxml2, zlib, SQLite, Nettle and libyaml with their headers, and pkg-config." >&2; exit 1; \
	fi

## Install what only tests need: node runs the search's script outside a browser. Where it cannot be had, those tests say that they are skipped.
setup-tests:
	@if command -v node >/dev/null && command -v vipsthumbnail >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get install -q -y --no-install-recommends nodejs libvips-tools \
	    || echo "node or libvips could not be installed: the tests of the search's script, or of smaller copies of photos, are skipped." >&2; \
	elif command -v brew >/dev/null; then \
	  brew install node vips; \
	fi

## What is installed beside the program: its pages for man, completions for shells, and the licenses of what it is linked with.
PAGES = .build/pages
pages: build
	Packaging/pages $(BINARY) $(PAGES)

## Install the program, its templates, themes, documentation, pages for man and completions below PREFIX.
install: pages
	Packaging/files install $(BINARY) $(PAGES) "$(DESTDIR)" "$(PREFIX)"

## Take all of that away again, and nothing else.
uninstall:
	Packaging/files uninstall "$(DESTDIR)" "$(PREFIX)"

## A Debian package, a tarball, into .build/packages. The same commit gives the same bytes.
PACKAGES ?= .build/packages
deb: pages
	Packaging/debian/build $(BINARY) $(PAGES) $(VERSION) $(PACKAGES)

tarball: pages
	Packaging/tarball $(BINARY) $(PAGES) $(VERSION) $(PACKAGES)

## Everything of a release; TAG has to be that of the version, and the changelog has to know it.
release: check-release deb tarball
	cd $(PACKAGES) && sha256sum *$(VERSION)* >SHA256SUMS && cat SHA256SUMS

TAG ?= $(shell git describe --tags --exact-match 2>/dev/null)
check-release:
	@[ "$(TAG)" = "v$(VERSION)" ] || { echo "The tag is \"$(TAG)\", and should be v$(VERSION), as Sources/ThreadsiteCLI/Threadsite.swift says." >&2; exit 1; }
	@grep -q '^## $(subst .,\.,$(VERSION))\b' CHANGELOG.md || { echo "CHANGELOG.md has no heading \"## $(VERSION)\"." >&2; exit 1; }

## Install and remove what `make install` and `make deb` make, look at every page, and live with the package on a fresh Debian.
test-deb: deb
	Tests/Packages/run $(BINARY) $(PAGES) $(PACKAGES)/threadsite_$(VERSION)-1_*.deb

## The reference of the library and of the modules, with an article on the pipeline, into .build/documentation.
documentation: setup
	Packaging/documentation $(SWIFT) .build/documentation

## Run the deep checks and record those that pass in .ci/verified.json: `make verify CHECKS="memory fuzz"`, `make verify CHECKS=due`.
CHECKS ?=
verify:
	.ci/checks.py verify $(CHECKS)

## The layout of the code.
check-format:
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Examples Package.swift

## Check docs, comments, messages and names of tests for English that is hard to read: `make check-prose RECORD=1` lowers the baseline.
RECORD ?=
check-prose:
	Tests/Prose/check.py $(if $(RECORD),--record)

## Run every test with the number of cases of the deep run, including those that compare with other software; crash tests have a target of their own.
test-deep: setup setup-tests
	THREADSITE_DEEP=1 $(SWIFT) test --disable-xctest --skip '(KilledRunsTests|DiskFaultTests)'

## Run the tests of the code that owns C memory under the address sanitizer, which finds leaks, too.
MEMORY = SiteConfig,MarkdownHTML,HTTPTransport,XNetwork,MastodonNetwork
test-memory: setup
	THREADSITE_TESTS=$(MEMORY) ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt:print_suppressions=0 \
	  $(SWIFT) test --disable-xctest --sanitize=address --scratch-path .build/asan

## Run the tests of what runs on several threads under the thread sanitizer, with locks that it sees (Tests/SanitizedLocks). Left out are tests of how
## many megabytes there may be and of killed programs, which the sanitizer itself would be counted to, and those that are long and of one thread.
PARALLEL = (HTTPTransportTests|MediaMirrorTests|BasicsTests.*(AtomicFile|SpoolFile|FileBytes|Link|AbandonedFile|FileSystem)|ThreadStoreTests|SearchIndexTests|MastodonThreadTests|XNetworkTests.*(Waiting|Paging|ResponseCache|Exchange|Fallback|Fault|KnownThread|Recheck|Source|ThreadEntry)|ProgramTests.*(FetchingTests|MirrorTests|RepeatedBuild|KeepGoing|RelatedThreads|PublishedMedia|SiteLinks))
test-threads: setup
	THREADSITE_SANITIZE=thread TSAN_OPTIONS=second_deadlock_stack=1 $(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/tsan \
	  --no-parallel --filter '$(PARALLEL)'

## Fuzz the readers of untrusted bytes: `make fuzz TIME=3600` (seconds for all targets together), `make fuzz TARGET=json`.
TIME ?= 600
fuzz: setup
	SWIFT=$(SWIFT) Tests/Fuzz/run $(TIME) $(TARGET)

## Kill imports, builds and fetches at random moments, KILLS times each, and run them on full and read-only disks.
KILLS ?= 20
test-crash: setup
	THREADSITE_DEEP=1 THREADSITE_KILLS=$(KILLS) $(SWIFT) test --disable-xctest --filter '(KilledRunsTests|DiskFaultTests)'

## Count the instructions of each stage at three sizes with valgrind; costs that grow faster than their input are errors. `make test-growth CLAIM=unrolling`
## checks only the claims with that text in their name.
CLAIM ?=
test-growth: setup setup-tests
	@if ! command -v valgrind >/dev/null && command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo apt-get install -q -y --no-install-recommends valgrind || true; \
	fi
	$(SWIFT) build -c release $(STATIC) --product growth
	Tests/Growth/run "$$($(SWIFT) build -c release $(STATIC) --show-bin-path)/growth" "$(CLAIM)"

## Check the sample site, and its threads as a book, with tools that are not ours: HTML, feeds, links, structured data, EPUB.
check-site: site
	$(BINARY) build --quiet --base-url https://threads.example/below/a/path/ --output .build/site-below-a-path
	$(BINARY) export epub --quiet --output .build/threads.epub
	Tests/SiteChecks/run site .build/site-below-a-path .build/threads.epub

## Check the workflows that `threadsite init --ci` writes with tools that are not ours: schemas, and what is known to be unsafe.
check-ci: build
	Tests/Workflows/run $(BINARY)

## Count the instructions of a build and an import with valgrind, and compare them with the recorded ones.
test-instructions: build
	@if ! command -v valgrind >/dev/null && command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo apt-get install -q -y --no-install-recommends valgrind || true; \
	fi
	Benchmarks/instructions.py $(BINARY)

## Check one page of each kind of the sample site in Chromium.
check-pages: build
	Tests/Browser/run --quick $(BINARY)

## Check the sample site in three browsers with every theme; then break it, to show that the checks can fail, unless TRY=no.
TRY ?= yes
test-browser: build
	Tests/Browser/run $(BINARY)
	@[ "$(TRY)" = no ] || Tests/Browser/run --try $(BINARY)

## Fetch and import from servers that others wrote, publish to some, and compare; skipped where they cannot be installed.
test-peers: build
	Tests/Peers/run $(BINARY)
	Tests/Peers/servers
	$(SWIFT) test --disable-xctest --filter 'PublishingTests.(S3|Rsync|Git)'

## Plant faults in a copy of the repository, and show that the checks find each of them: `make test-checks FAULTS="leak race"`.
FAULTS ?=
test-checks:
	Tests/Faults/run $(FAULTS)

clean:
	rm -rf .build site
