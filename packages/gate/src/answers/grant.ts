import { folderOf, isWithin } from "../places/path-place.ts";
import { placeOfUrl } from "../places/url-host.ts";
import type { ResolvedEffect } from "../resolved-effect.ts";

/**
 * The user's grants: for the session, one tool with a folder, a file, a command or a host; for the rest of a turn, all
 * changes of ordinary workspace files by any tool.
 */
export type Grant = { tool: string } & (
  | { kind: "plain" }
  | { kind: "read" | "write"; folder: string }
  | { kind: "read" | "write"; file: string }
  | { kind: "run"; command: string; cwd: string }
  | { kind: "reach"; host: string }
  | { kind: "spend"; what: string }
  | { kind: "mcp"; server: string; name: string; configuration?: string }
);

/** Tools whose paths are files; for any other tool a path may be a folder. */
const fileTools: readonly string[] = ["read", "write", "edit", "agent_changes"];
/** People do not read longer lists of places before they answer. */
const MAX_PLACES = 3;
/** Home folders lie at this depth, whatever they are called. */
const TOP_DEPTH = 2;

/** The narrow grants that "for this session" means for a call; none if that would grant too much. */
export function grantsFor(tool: string, effects: readonly ResolvedEffect[], root: string): Grant[] {
  const effectsToAllow = effects.filter((each) => !isHarmless(each, root));
  const grants = (effectsToAllow.length > 0 ? effectsToAllow : effects).map((each) => grantFor(tool, each, root));
  const usable = grants.filter((grant) => grant !== undefined);
  if (usable.length < grants.length) return [];
  const written = new Set(usable.flatMap((grant) => (grant.kind === "write" ? [placeOf(grant)] : [])));
  // Writing implies reading: naming both would only lengthen the question.
  const needed = usable.filter((grant) => grant.kind !== "read" || !written.has(placeOf(grant)));
  return fewPlaces(eachOnce(needed), root);
}

function eachOnce(grants: readonly Grant[]): Grant[] {
  return [...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values()];
}

/** Merges many places into the folder that contains them all; none if that is more than anyone would grant. */
function fewPlaces(grants: Grant[], root: string): Grant[] {
  if (grants.length <= MAX_PLACES) return grants;
  const [first] = grants;
  const places = grants.map(placeOf);
  const isAlike = places.every((place) => place !== undefined) && grants.every(({ kind }) => kind === first?.kind);
  if (!isAlike || (first?.kind !== "read" && first?.kind !== "write")) return [];
  const folder = commonFolder(
    grants.map((grant) => ("folder" in grant ? grant.folder : folderOf(placeOf(grant) ?? "/"))),
  );
  return isTooWide(folder, root) ? [] : [{ tool: first.tool, kind: first.kind, folder }];
}

function commonFolder(folders: readonly string[]): string {
  const [first = "/", ...others] = folders;
  return others.reduce((common, folder) => {
    let shared = common;
    while (!isWithin(folder, shared)) shared = folderOf(shared);
    return shared;
  }, first);
}

/** Reading in the workspace is never asked about on its own. */
function isHarmless({ effect, realPath }: ResolvedEffect, root: string): boolean {
  return effect.kind === "read" && isWithin(realPath ?? effect.path, root);
}

function placeOf(grant: Grant): string | undefined {
  if ("folder" in grant) return grant.folder;
  return "file" in grant ? grant.file : undefined;
}

function grantFor(tool: string, { effect, realPath }: ResolvedEffect, root: string): Grant | undefined {
  switch (effect.kind) {
    case "read":
    case "write":
      return pathGrant(tool, effect.kind, realPath ?? effect.path, root);
    case "run":
      return { tool, kind: "run", command: effect.command, cwd: effect.cwd };
    case "reach": {
      const host = placeOfUrl(effect.url);
      return host === undefined ? undefined : { tool, kind: "reach", host };
    }
    case "spend":
      return { tool, kind: "spend", what: effect.what };
    case "mcp":
      return {
        ...{ tool, kind: "mcp", server: effect.server, name: effect.tool },
        ...(effect.configuration === undefined ? {} : { configuration: effect.configuration }),
      };
  }
}

function pathGrant(tool: string, kind: "read" | "write", path: string, root: string): Grant | undefined {
  const isFile = fileTools.includes(tool);
  // Another tool may write a file or a folder: the grant is for exactly the path that was asked about.
  if (!isFile && kind === "write") return isTooWide(path, root) ? undefined : { tool, kind, file: path };
  const folder = isFile ? folderOf(path) : path;
  if (!isTooWide(folder, root)) return { tool, kind, folder };
  return isFile ? { tool, kind, file: path } : undefined;
}

/** True for the workspace itself and its parents; outside of it for the root, home folders and the like. */
function isTooWide(folder: string, root: string): boolean {
  if (isWithin(root, folder)) return true;
  if (root !== "/" && isWithin(folder, root)) return false;
  return folder.split("/").filter(Boolean).length <= TOP_DEPTH;
}

/** `plain`: whether the effect reads or writes an ordinary workspace file. */
export function grantCovers(
  grant: Grant,
  tool: string,
  { effect, realPath, command }: ResolvedEffect,
  plain?: "read" | "write",
): boolean {
  if (grant.kind === "plain") return plain !== undefined;
  if (grant.tool !== tool || grant.kind !== effect.kind) return false;
  switch (grant.kind) {
    case "read":
    case "write":
      if (!("path" in effect)) return false;
      return "file" in grant
        ? (realPath ?? effect.path) === grant.file
        : isWithin(realPath ?? effect.path, grant.folder);
    case "run":
      // The effect of text sent to a program depends on the text sent before.
      if (effect.kind !== "run" || (effect.sent && command?.problem !== undefined)) return false;
      return effect.command === grant.command && effect.cwd === grant.cwd;
    case "reach":
      return effect.kind === "reach" && placeOfUrl(effect.url) === grant.host;
    case "spend":
      return effect.kind === "spend" && effect.what === grant.what;
    case "mcp":
      return (
        effect.kind === "mcp" &&
        effect.server === grant.server &&
        effect.tool === grant.name &&
        effect.configuration === grant.configuration
      );
  }
}

/** The grants in words, for the user who is about to give them. */
export function describeGrants(grants: readonly Grant[]): string {
  return grants.length === 0 ? "" : `${grants[0]?.tool ?? ""}: ${[...new Set(grants.map(wordsFor))].join("; ")}`;
}

function wordsFor(grant: Grant): string {
  switch (grant.kind) {
    case "plain":
      return "changes to ordinary files in the workspace";
    case "read":
      return "file" in grant ? `reads ${grant.file}` : `reads in ${grant.folder} and below`;
    case "write":
      return "file" in grant ? `writes ${grant.file}` : `writes in ${grant.folder} and below`;
    case "run":
      return `exactly this command: ${grant.command}`;
    case "reach":
      return `requests to ${grant.host}`;
    case "spend":
      return grant.what;
    case "mcp":
      return `all calls of ${grant.name} on the MCP server ${grant.server}`;
  }
}
