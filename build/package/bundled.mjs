// Packages that are loaded from files of their own, and are therefore in node_modules of the package: without the sources,
// build scripts and other systems' programs that they come with.
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { commonOptions, root } from "../build-options.mjs";

const sandbox = "@anthropic-ai/sandbox-runtime";
const grammars = "@repomix/tree-sitter-wasms";

/** The files of each that are used. */
const files = {
  [sandbox]: [],
  [grammars]: [],
  "@silvia-odwyer/photon-node": ["photon_rs.js", "photon_rs_bg.wasm"],
  "tree-sitter-bash": ["tree-sitter-bash.wasm"],
  "web-tree-sitter": ["web-tree-sitter.wasm"],
};

export const bundled = Object.keys(files);

const places = (name, stage) => ({ from: join(root, "node_modules", name), to: join(stage, "node_modules", name) });

export async function copyBundled(stage) {
  const usedGrammars = await grammarFiles();
  for (const [name, used] of Object.entries(files)) {
    const { from, to } = places(name, stage);
    const { version, license, type, main, exports } = JSON.parse(await readFile(join(from, "package.json"), "utf8"));
    await mkdir(to, { recursive: true });
    await writeFile(join(to, "package.json"), JSON.stringify({ name, version, license, type, main, exports }));
    const notices = (await readdir(from)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    for (const file of [...used, ...notices, ...(name === grammars ? usedGrammars : [])]) {
      await mkdir(dirname(join(to, file)), { recursive: true });
      await copyFile(join(from, file), join(to, file));
    }
  }
  await bundleSandbox(places(sandbox, stage));
}

/** Of the languages that code is cut by (packages/search/src/chunks/languages.ts). */
async function grammarFiles() {
  const table = await readFile(join(root, "packages/search/src/chunks/languages.ts"), "utf8");
  const names = new Set([...table.matchAll(/grammar: "(\w+)"/g)].map(([, name]) => name));
  // Another package has it.
  names.delete("bash");
  return [...names].map((name) => `out/tree-sitter-${name}.wasm`);
}

/** With all that it imports, in the one file that we load. */
async function bundleSandbox({ from, to }) {
  await build({
    ...{ absWorkingDir: root, bundle: true, platform: "node", target: commonOptions.target, charset: "ascii" },
    ...{ minifySyntax: true, minifyWhitespace: true, legalComments: "none", logLevel: "warning", format: "esm" },
    entryPoints: [join(from, "dist/index.js")],
    outfile: join(to, "dist/index.js"),
    external: ["@microsoft/mxc-sdk"],
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
}
