/// The tables of an exported database, which docs/reference/export.md explains.
enum DatabaseSchema {
  /// Incremented when a table or column is renamed or removed; not when one is added.
  static let version = 1

  static let tables = """
    CREATE TABLE site (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE authors (
      id INTEGER PRIMARY KEY,
      platform TEXT NOT NULL,
      network_id TEXT NOT NULL,
      handle TEXT,
      name TEXT,
      url TEXT,
      UNIQUE (platform, network_id)
    );
    CREATE TABLE threads (
      id INTEGER PRIMARY KEY,
      platform TEXT NOT NULL,
      network_id TEXT NOT NULL,
      author_id INTEGER NOT NULL REFERENCES authors,
      title TEXT NOT NULL,
      excerpt TEXT NOT NULL,
      page TEXT NOT NULL,
      url TEXT,
      first_posted TEXT,
      last_posted TEXT,
      language TEXT,
      posts INTEGER NOT NULL,
      is_whole INTEGER NOT NULL,
      UNIQUE (page)
    );
    CREATE TABLE tags (
      thread_id INTEGER NOT NULL REFERENCES threads,
      position INTEGER NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (thread_id, position)
    ) WITHOUT ROWID;
    CREATE TABLE posts (
      id INTEGER PRIMARY KEY,
      platform TEXT NOT NULL,
      network_id TEXT NOT NULL,
      author_id INTEGER NOT NULL REFERENCES authors,
      title TEXT,
      text TEXT NOT NULL,
      content_warning TEXT,
      is_sensitive INTEGER NOT NULL,
      language TEXT,
      posted TEXT,
      edited TEXT,
      url TEXT,
      in_reply_to TEXT,
      likes INTEGER,
      reposts INTEGER,
      replies INTEGER,
      quotes INTEGER,
      observed TEXT,
      UNIQUE (platform, network_id)
    );
    CREATE TABLE thread_posts (
      thread_id INTEGER NOT NULL REFERENCES threads,
      position INTEGER NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      part TEXT NOT NULL CHECK (part IN ('context', 'main', 'branch', 'answer', 'reply')),
      branch TEXT,
      PRIMARY KEY (thread_id, position)
    ) WITHOUT ROWID;
    CREATE TABLE quotes (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      quoted_post_id INTEGER REFERENCES posts,
      platform TEXT NOT NULL,
      network_id TEXT NOT NULL,
      missing TEXT
    );
    CREATE TABLE media (
      id INTEGER PRIMARY KEY,
      post_id INTEGER NOT NULL REFERENCES posts,
      position INTEGER NOT NULL,
      kind TEXT NOT NULL,
      alt_text TEXT,
      url TEXT,
      file TEXT,
      poster_file TEXT,
      width INTEGER,
      height INTEGER,
      duration_ms INTEGER,
      UNIQUE (post_id, position)
    );
    CREATE TABLE polls (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      status TEXT NOT NULL,
      ends TEXT,
      voters INTEGER,
      allows_multiple INTEGER NOT NULL
    );
    CREATE TABLE poll_options (
      post_id INTEGER NOT NULL REFERENCES polls,
      position INTEGER NOT NULL,
      label TEXT NOT NULL,
      votes INTEGER,
      PRIMARY KEY (post_id, position)
    ) WITHOUT ROWID;
    CREATE TABLE links (
      post_id INTEGER NOT NULL REFERENCES posts,
      position INTEGER NOT NULL,
      url TEXT NOT NULL,
      title TEXT,
      summary TEXT,
      PRIMARY KEY (post_id, position)
    ) WITHOUT ROWID;
    CREATE INDEX threads_by_author ON threads (author_id);
    CREATE INDEX thread_posts_by_post ON thread_posts (post_id);
    CREATE INDEX posts_by_author ON posts (author_id);
    CREATE INDEX quotes_by_quoted ON quotes (quoted_post_id);
    """

  /// The full-text index stores no text, but refers to the text of the posts.
  static let fullText = """
    CREATE VIRTUAL TABLE posts_fts USING fts5 (
      title, text, content = 'posts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
    );
    INSERT INTO posts_fts (posts_fts) VALUES ('rebuild');
    """
}
