// Shared by the bundle (bundle.mjs) and the start-up snapshot (snapshot/make.mjs).
import { rename, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export const root = dirname(import.meta.dirname);
export const dist = join(root, "dist");
export const leastMajor = 24;

/**
 * Replaces zod with build/deferred-zod.mjs in our own packages, and in the SDK of the Agent Client Protocol, whose 400
 * schemas an editor would wait for; others check what kind of schema they were given.
 */
const deferredZod = {
  name: "deferred-zod",
  setup({ onResolve }) {
    const path = join(root, "build/deferred-zod.mjs");
    const sdk = join(root, "node_modules/@agentclientprotocol/sdk");
    onResolve({ filter: /^zod(?:\/v4)?$/ }, ({ resolveDir }) => {
      const isOurs = resolveDir.startsWith(join(root, "packages")) && !resolveDir.includes("node_modules");
      return isOurs || resolveDir.startsWith(sdk) ? { path } : undefined;
    });
  },
};

/** Replaces the resources of OpenAI's client with build/openai-resources.mjs. */
const openAiWithoutResources = {
  name: "openai-without-resources",
  setup({ onResolve }) {
    const path = join(root, "build/openai-resources.mjs");
    onResolve({ filter: /^\.\/resources\// }, ({ importer }) =>
      importer === join(root, "node_modules/openai/client.mjs") ? { path } : undefined,
    );
  },
};

/** For esbuild. */
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
  // Removes dead code and blanks, because V8 keeps the text of all code; names and lines stay, for readable stack
  // traces.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  // Ink's own choice takes 15 ms longer to load, for the same answers, which our own code gets as well.
  alias: { "string-width": "fast-string-width" },
  // Replaces Node's own, which load slowly: the vendors' clients find these.
  inject: ["build/web-classes.mjs"],
  // Ink loads the first only if DEV=true, and works without it; the second is native, and loaded from its place; the
  // others have files next to them.
  external: ["react-devtools-core", "@napi-rs/keyring", "@anthropic-ai/sandbox-runtime", "@silvia-odwyer/photon-node"],
  plugins: [deferredZod, openAiWithoutResources],
  logLevel: "warning",
  // A part of zod that build/deferred-zod.mjs lacks.
  logOverride: { "import-is-undefined": "error" },
};

/**
 * Replaces all characters beyond ASCII: a single one beyond Latin-1, even in a comment, would double the memory that V8
 * needs for a whole file. Throws if a backslash precedes one, because that would change its meaning.
 */
export function asciiOnly(code) {
  const [odd] = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(code) ?? [];
  if (odd) throw new Error(`a backslash before ${JSON.stringify(odd)} cannot be written in ASCII`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Accessing Node's own web classes loads its HTTP client (build/web-classes.mjs). Other programs may need it. */
export const lightWeb = `for (const name of ["fetch", "Headers", "Request", "Response", "FormData"]) delete globalThis[name];
`;

/** Writes a file under a temporary name and renames it. */
export async function replace(path, contents, modifiedAt) {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, contents, { flush: true });
  if (modifiedAt) await utimes(draft, modifiedAt, modifiedAt);
  await rename(draft, path);
}
