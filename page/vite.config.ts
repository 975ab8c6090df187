import { defineConfig, type Plugin } from "vite";

// The page is served from the package's folder, beside /api and /theme.css.
export default defineConfig({
  plugins: [fewFonts()],
  build: {
    outDir: "../src/ridgeline/web/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
  },
  server: { proxy: { "/api": "http://127.0.0.1:8265", "/theme.css": "http://127.0.0.1:8265" } },
});

/** Of KaTeX's fonts those that the boards' formulas need, in the one format that every browser reads. */
function fewFonts(): Plugin {
  const needed = /KaTeX_(Main-Regular|Math-Italic|Size[1-4]-Regular)\.woff2/;
  return {
    name: "few-fonts",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("katex") || !id.endsWith(".css")) return null;
      return code
        .replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]+"\)/g, "")
        .replace(/@font-face\{[^}]*\}/g, (face) => (needed.test(face) ? face : ""));
    },
  };
}
