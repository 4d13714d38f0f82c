import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Parser } from "web-tree-sitter";

const require = createRequire(import.meta.url);
/** The number of a function that no grammar has. */
const NO_FUNCTION = 1 << 30;

/**
 * Loads tree-sitter without grammars. From then on V8 optimizes no other functions of WebAssembly: the lexer of a grammar
 * is a single one of up to 400 kB, for which its optimizing compiler takes 700 MB and more, and in its baseline code it
 * costs no measurable time. V8 decides this when a function is first compiled: those of tree-sitter are compiled now.
 */
export async function loadParser(): Promise<void> {
  const wasmBinary = readFileSync(require.resolve("web-tree-sitter/web-tree-sitter.wasm"));
  setFlagsFromString("--wasm-tier-up-filter=-1");
  setFlagsFromString("--no-wasm-lazy-compilation");
  try {
    await Parser.init({ wasmBinary });
  } finally {
    setFlagsFromString("--wasm-lazy-compilation");
    setFlagsFromString(`--wasm-tier-up-filter=${NO_FUNCTION}`);
  }
}
