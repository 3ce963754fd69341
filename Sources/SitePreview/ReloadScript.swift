/// The script that keeps pages of the preview up to date. It is served beside the site and never written into it.
enum ReloadScript {
  static let text = #"""
    // Keeps this page as new as the site: part of `threadsite serve`, and of no site that is published.
    (() => {
      "use strict";
      const own = document.currentScript;
      const [session, served] = new URL(own.src).search.slice(1).split(".");
      let build = Number(served);
      own.remove();

      // The URLs of style sheets stay the same, so the number of the build is added to load them again.
      const leaving = new WeakSet();
      const exchangeStyles = () => {
        for (const link of document.querySelectorAll('link[rel~="stylesheet"]')) {
          const url = new URL(link.href);
          if (url.origin !== location.origin || leaving.has(link)) continue;
          leaving.add(link);
          url.search = build;
          const next = link.cloneNode();
          next.href = url;
          next.onload = next.onerror = () => link.remove();
          link.after(next);
        }
      };

      let shown = null;
      const show = (messages) => {
        shown?.remove();
        shown = null;
        if (!messages) return;
        shown = document.createElement("threadsite-messages");
        const root = shown.attachShadow({ mode: "open" });
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`
          :host { all: initial; position: fixed; inset: auto 0 0 0; z-index: 2147483647; }
          section { box-sizing: border-box; max-height: 70vh; overflow: auto; padding: 1rem 1.25rem; background: #221a1a; color: #fff;
            border-top: 4px solid #ff6b5e; font: 16px/1.5 system-ui, sans-serif; }
          h2 { margin: 0 0 .5rem; font-size: 1.1rem; }
          p { margin: .5rem 0 0; color: #ddd; }
          pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; }
          @media print { section { display: none; } }`);
        root.adoptedStyleSheets = [sheet];
        const make = (name, text) => {
          const element = document.createElement(name);
          element.textContent = text;
          return element;
        };
        const section = document.createElement("section");
        section.setAttribute("role", "alert");
        section.lang = "en";
        section.dir = "ltr";
        section.append(
          make("h2", "The site could not be built"), make("pre", messages.join("\n")),
          make("p", build ? "This page is unchanged. The site is built again as soon as the problem is fixed." : "The site is built again as soon as the problem is fixed."));
        root.append(section);
        document.documentElement.append(shown);
      };

      let events = null;
      const hear = ({ data }) => {
        const state = JSON.parse(data);
        if (state.session !== session || state.reload > build) {
          events.close();
          return location.reload();
        }
        show(state.messages);
        if (state.build > build) {
          build = state.build;
          exchangeStyles();
        }
      };
      // A page that nobody sees holds no connection: browsers have six for a host, and more pages than that may be open.
      const follow = () => {
        events?.close();
        events = null;
        if (document.visibilityState === "hidden") return;
        events = new EventSource("/.threadsite/events");
        events.onmessage = hear;
      };
      document.addEventListener("visibilitychange", follow);
      addEventListener("pagehide", () => events?.close());
      addEventListener("pageshow", ({ persisted }) => persisted && follow());
      follow();
    })();

    """#
}
