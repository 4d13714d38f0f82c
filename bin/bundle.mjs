// Bundles the command and the server into dist/, so that a start loads a few files instead of some hundreds:
//
//   harness.mjs, server.mjs   what is started: a few lines that switch the compile cache on and load the rest
//   gguf-worker.mjs           the same for the process that runs a model file
//   sandbox-proxy.mjs        the same for the process that opens the way out of the sandbox
//   markdown-thread.mjs       the same for the thread that reads web pages
//   image-thread.mjs          the same for the thread that scales images down
//   *-HASH.mjs                the code, shared and split at each dynamic import
//   built                     its time is when this bundling began (bin/runtime.sh compares); it lists the files
//   cache/                    V8's compiled code, written by Node as the program runs
//
// Every file is written beside its place and renamed, `built` last: a bundling that is cut off changes nothing. A running
// harness may still load a chunk of the bundle that it was started from, so chunks stay for a while after they were replaced.
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");
const marker = join(dist, "built");
const dayMs = 86_400_000;
const leastMajor = 24;

/** The programs, and the module that each runs. */
const entries = {
  harness: "packages/cli/src/main.ts",
  server: "packages/server/src/main.ts",
  "gguf-worker": "packages/gguf/src/worker/main.ts",
  "sandbox-proxy": "packages/tools/src/sandbox/proxy/main.ts",
  "markdown-thread": "packages/tools/src/web/markdown-thread.ts",
  "image-thread": "packages/tools/src/images/image-thread.ts",
};

const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([name, module]) => ({ in: module, out: `${name}-main` })),
    outdir: dist,
    // One flat folder: code finds server.mjs beside its own chunk, whichever that is.
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: `node${leastMajor}`,
    jsx: "automatic",
    // One sign beyond Latin-1 would double what V8 keeps of a whole file.
    charset: "ascii",
    legalComments: "none",
    // Dead code goes; names and lines stay, for readable stack traces (with the compile cache, less text saves < 2 ms).
    minifySyntax: true,
    define: { "process.env.NODE_ENV": '"production"' },
    // Ink's own choice takes 15 ms more to load; the same answers, and the same as our own code gets.
    alias: { "string-width": "fast-string-width" },
    // In place of Node's own, which load slowly: the vendors' clients find these.
    inject: ["bin/web-classes.mjs"],
    // Ink looks for the first only when DEV=true, and does without it; the second is native, and loaded where it is; the
    // others have files beside them.
    external: [
      "react-devtools-core",
      "@napi-rs/keyring",
      "@anthropic-ai/sandbox-runtime",
      "@silvia-odwyer/photon-node",
    ],
    // Packages in CommonJS call `require` for Node's own modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });

/**
 * V8's optimising compilers begin when code is really hot. What a start repeats some hundred times is not worth them: their
 * own code and memory is a tenth of a window and server that wait. An untested Node may not know the options.
 */
const newestTriedMajor = 26;
const patience = `if (major <= ${newestTriedMajor} && !/^(-V|(--)?version)$/.test(process.argv[2] ?? "")) {
  const v8 = process.getBuiltinModule("node:v8");
  for (const [of, calls] of [["maglev", 6000], ["maglev-osr", 6000], ["turbofan", 20000]]) v8.setFlagsFromString(\`--invocation-count-for-\${of}=\${calls}\`);
}
`;

/** A look at Node's own classes of the web loads its HTTP client (bin/web-classes.mjs). Other programs may need it. */
const withLightWeb = new Set(["harness", "server"]);
const lightWeb = `for (const name of ["fetch", "Headers", "Request", "Response", "FormData"]) delete globalThis[name];
`;

/**
 * The compile cache holds only what is loaded after it is switched on, hence a file before the code. The Node that was
 * found once is not looked at again (bin/runtime.sh), but it may have been replaced in its place by an older one.
 */
const starter = (main, hasLightWeb) => `import * as module from "node:module";
const major = Number.parseInt(process.versions.node, 10);
if (major < ${leastMajor}) {
  const link = new URL("../.runtime/bin/node", import.meta.url);
  try { process.getBuiltinModule("node:fs").unlinkSync(link); } catch { /* There is none: this Node came from elsewhere. */ }
  process.stderr.write(\`harness: \${process.execPath} is Node \${process.versions.node} now, but harness needs ${leastMajor} or newer. Start it again: it looks for another Node then.\\n\`);
  process.exit(1);
}
${patience}${hasLightWeb ? lightWeb : ""}module.enableCompileCache?.(import.meta.dirname + "/cache");
// Node would open a debugger, to which every program of this machine can connect.
process.on("SIGUSR1", () => {});
// Garbage of the start is collected once it is quiet: about a tenth of the memory of a window that waits.
setTimeout(() => globalThis.gc?.({ type: "major", flavor: "last-resort" }), 1500).unref();
await import("./${main}");
`;

const filesOf = (result) => {
  const files = new Map(result.outputFiles.map((file) => [basename(file.path), file.contents]));
  for (const [output, { entryPoint }] of Object.entries(result.metafile.outputs)) {
    const entry = Object.entries(entries).find(([, module]) => module === entryPoint);
    if (entry) files.set(`${entry[0]}.mjs`, starter(basename(output), withLightWeb.has(entry[0])));
  }
  return files;
};

const replace = async (path, contents, modifiedAt) => {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, contents);
  if (modifiedAt) await utimes(draft, modifiedAt, modifiedAt);
  await rename(draft, path);
};

const listed = async () => {
  try {
    return JSON.parse(await readFile(marker, "utf8"));
  } catch {
    return [];
  }
};

const sweep = async (kept) => {
  for (const name of await readdir(dist)) {
    if (kept.has(name) || !/\.(mjs|tmp)$/.test(name)) continue;
    const path = join(dist, name);
    if (Date.now() - (await stat(path)).mtimeMs > dayMs) await rm(path, { force: true });
  }
  await rm(join(dist, "cache"), { recursive: true, force: true });
};

/** The file system's own time of now: it may differ from this machine's on a network drive. */
const beginning = async () => {
  const probe = join(dist, `began.${process.pid}.tmp`);
  await writeFile(probe, "");
  const { mtime } = await stat(probe);
  await rm(probe);
  return mtime;
};

const startedMs = performance.now();
try {
  await mkdir(dist, { recursive: true });
  const began = await beginning();
  const files = filesOf(await bundle());
  const before = await listed();
  // The starters come last in the map: they name the others.
  for (const [name, contents] of files) await replace(join(dist, name), contents);
  await replace(marker, JSON.stringify([...files.keys()]), began);
  await sweep(new Set([...files.keys(), ...before]));
  const bytes = [...files.values()].reduce((sum, contents) => sum + contents.length, 0);
  const seconds = (performance.now() - startedMs) / 1000;
  process.stderr.write(`harness: bundled ${Math.ceil(bytes / 1000)} kB into dist in ${seconds.toFixed(1)} s.\n`);
} catch (error) {
  // esbuild has printed errors in sources with their place.
  if (!error.errors) process.stderr.write(`harness: the bundle cannot be written to ${dist}: ${error.message}\n`);
  process.exitCode = 1;
}
