import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { isRecord, parseJson } from "@harness/host";

/** Files in a folder, or above it, that decide its environment for direnv, mise, asdf, nix and the like. */
const NAMES = (
  ".envrc .env .env.local .envrc.local mise.toml mise.local.toml .mise.toml .mise.local.toml mise/config.toml .mise/config.toml " +
  ".config/mise.toml .config/mise/config.toml mise.lock .tool-versions .nvmrc .node-version .python-version .ruby-version .java-version " +
  ".go-version rust-toolchain rust-toolchain.toml flake.nix flake.lock shell.nix default.nix devenv.nix devenv.yaml devenv.lock " +
  "devbox.json devbox.lock pixi.toml pixi.lock environment.yml"
).split(" ");
/** Files that are programs themselves; nobody asks about changes to them. */
const NIX_NAMES = ["flake.nix", "shell.nix", "default.nix", "devenv.nix", "devbox.json"];
const usesNix = /\b(?:nix|flake|devenv|devbox)\b/;
const MAX_WATCHES_BYTES = 1024 * 1024;
const MAX_WATCHES = 500;

/** The files that the environment of a folder depends on, existing or not. */
export function environmentFiles(folder: string): string[] {
  const found: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    found.push(...NAMES.map((name) => join(each, name)));
    if (each === dirname(each)) return found;
  }
}

/** The relevant file names in a single folder. */
export const environmentNames: readonly string[] = NAMES;

/** The commands behind a folder's environment: the lines of the command, and of an `.envrc` as direnv reads it. */
export function environmentLines(command: string, envrc: string | undefined): string[] {
  const lines = (envrc ?? "").split("\n").map((line) => line.replace(/^\s*source_env(?:_if_exists)?\b/, "source"));
  return [command, ...lines];
}

/** Names of files that nix would evaluate for this command. */
export function nixFiles(lines: readonly string[]): readonly string[] {
  return lines.some((line) => usesNix.test(line)) ? NIX_NAMES : [];
}

/**
 * The files that direnv reports as dependencies, in its own format: files that `.envrc` reads, and whether it is
 * allowed.
 */
export function direnvWatches(printed: string): string[] {
  const json = printed.includes("DIRENV_WATCHES") ? parseJson(printed) : undefined;
  const watches = json && "value" in json && isRecord(json.value) ? json.value.DIRENV_WATCHES : undefined;
  if (typeof watches !== "string") return [];
  try {
    const packed = Buffer.from(watches, "base64url");
    const list: unknown = JSON.parse(inflateSync(packed, { maxOutputLength: MAX_WATCHES_BYTES }).toString("utf8"));
    const paths = (Array.isArray(list) ? list : []).flatMap((each) => (isRecord(each) ? [each.path ?? each.Path] : []));
    return paths.filter((path) => typeof path === "string").slice(0, MAX_WATCHES);
  } catch {
    return [];
  }
}
