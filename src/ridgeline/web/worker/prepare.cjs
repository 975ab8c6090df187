// Run by Node when a site is exported: Pyodide itself compiles what the page's worker imports, and leaves out the rest.
//
//   node prepare.cjs PYODIDE TREE OUT
//
// PYODIDE is the unpacked npm package, TREE a folder of modules, OUT the one archive that the worker imports from.

const { readFileSync, writeFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");

const [pyodideFolder, tree, out] = process.argv.slice(2);

function copied(python, from, to) {
  python.FS.mkdirTree(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) copied(python, source, target);
    else python.FS.writeFile(target, readFileSync(source));
  }
}

async function main() {
  const { loadPyodide } = require(join(pyodideFolder, "pyodide.js"));
  const python = await loadPyodide({ indexURL: `${pyodideFolder}/` });
  copied(python, tree, "/tree");
  python.runPython(readFileSync(join(__dirname, "prepare.py"), "utf8"));
  writeFileSync(out, python.FS.readFile("/archive.zip"));
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
