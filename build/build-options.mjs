// Shared by the bundle (bundle.mjs) and the start-up snapshot (snapshot/make.mjs).
import { rename, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export const root = dirname(import.meta.dirname);
export const dist = join(root, "dist");
export const leastMajor = 24;

/** build/deferred-zod.mjs in place of zod, in our own packages: others test what kind of schema they were given. */
const deferredZod = {
  name: "deferred-zod",
  setup({ onResolve }) {
    const path = join(root, "build/deferred-zod.mjs");
    onResolve({ filter: /^zod$/ }, ({ resolveDir }) =>
      resolveDir.startsWith(join(root, "packages")) && !resolveDir.includes("node_modules") ? { path } : undefined,
    );
  },
};

/** Puts build/openai-resources.mjs in place of the resources of OpenAI's client. */
const openAiWithoutResources = {
  name: "openai-without-resources",
  setup({ onResolve }) {
    const path = join(root, "build/openai-resources.mjs");
    onResolve({ filter: /^\.\/resources\// }, ({ importer }) =>
      importer === join(root, "node_modules/openai/client.mjs") ? { path } : undefined,
    );
  },
};

/** Of esbuild. */
export const commonOptions = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  platform: "node",
  target: `node${leastMajor}`,
  jsx: "automatic",
  // It leaves comments and regular expressions as they are: see asciiOnly.
  charset: "ascii",
  legalComments: "none",
  // Dead code and blanks go, since V8 keeps the text of all code; names and lines stay, for readable stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  // Ink's own choice takes 15 ms more to load; the same answers, and the same as our own code gets.
  alias: { "string-width": "fast-string-width" },
  // In place of Node's own, which load slowly: the vendors' clients find these.
  inject: ["build/web-classes.mjs"],
  // Ink looks for the first only when DEV=true, and does without it; the second is native, and loaded where it is; the
  // others have files beside them.
  external: ["react-devtools-core", "@napi-rs/keyring", "@anthropic-ai/sandbox-runtime", "@silvia-odwyer/photon-node"],
  plugins: [deferredZod, openAiWithoutResources],
  logLevel: "warning",
  // A part of zod that build/deferred-zod.mjs does not have.
  logOverride: { "import-is-undefined": "error" },
};

/**
 * The code without any sign beyond ASCII: one of them beyond Latin-1, even in a comment, would double what V8 keeps of a whole
 * file. Throws where a backslash stands before one, which would make another meaning of it.
 */
export function asciiOnly(code) {
  const [odd] = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(code) ?? [];
  if (odd) throw new Error(`a backslash before ${JSON.stringify(odd)} cannot be written in ASCII`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A look at Node's own classes of the web loads its HTTP client (build/web-classes.mjs). Other programs may need it. */
export const lightWeb = `for (const name of ["fetch", "Headers", "Request", "Response", "FormData"]) delete globalThis[name];
`;

/** Writes a file beside its place and renames it. */
export async function replace(path, contents, modifiedAt) {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, contents, { flush: true });
  if (modifiedAt) await utimes(draft, modifiedAt, modifiedAt);
  await rename(draft, path);
}
