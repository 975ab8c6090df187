import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { defineConfig, type Plugin } from "vite";

// The page is served from the package's folder, beside /api and /theme.css.
// Its own addresses are relative, so that a site without a server can lie in any folder.
export default defineConfig({
  base: "./",
  plugins: [fewFonts(), licences()],
  build: {
    outDir: "../src/ridgeline/web/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2023",
    // Every browser that has popovers, as the page's cards are, loads modules ahead by itself.
    modulePreload: { polyfill: false },
    // A constant stays one in the bundle, so that the minifier writes its value where that is shorter.
    rolldownOptions: { output: { topLevelVar: false } },
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8265", "/theme.css": "http://127.0.0.1:8265" } },
});

/** Of KaTeX's fonts those that the boards' formulas need, in the one format that every browser reads; their metrics, with
 * those of bold letters, which a browser makes of upright ones; no signs of the AMS' font, which is not there; and of the
 * macros that stand for a line of TeX those in formulas of boards, and those that KaTeX's own code calls. */
function fewFonts(): Plugin {
  const names = "Main-Regular|Math-Italic|Size[1-3]-Regular";
  const needed = new RegExp(`KaTeX_(${names})\\.woff2`);
  const others = new RegExp(`("(?!(?:${names}|Main-Bold)")[A-Z][A-Za-z]+-[A-Z][A-Za-z]+"): \\{[^{}]*\\}`, "g");
  const macros = "ne|neq|quad|qquad|operatorname|tmspace|dots[bix]|DOTS[BIX]";
  const unused = new RegExp(`^defineMacro\\("\\\\\\\\(?!(?:${macros})")[A-Za-z]+", "(?:[^"\\\\]|\\\\.)*"\\);$`, "gm");
  return {
    name: "few-fonts",
    enforce: "pre",
    transform(code, id) {
      if (id.endsWith("katex.mjs")) {
        const ours = code.replace(others, "$1: {}").replace(unused, "");
        return ours.replace(/^defineSymbol\(\w+, ams, .*$/gm, "");
      }
      if (!id.includes("katex") || !id.endsWith(".css")) return null;
      return code
        .replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]+"\)/g, "")
        .replace(/@font-face\{[^}]*\}/g, (face) => (needed.test(face) ? face : ""));
    },
  };
}

/** The licences of all that is bundled, beside it. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const part of Object.values(bundle)) {
        for (const id of part.type === "chunk" ? part.moduleIds : part.originalFileNames) {
          const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id);
          if (found) folders.add(found[0].replace(/^\0/, ""));
        }
      }
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
          string,
          string
        >;
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
        return `${name} ${version} (${license})\n\n${text}\n`;
      });
      this.emitFile({ type: "asset", fileName: "licences.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}
