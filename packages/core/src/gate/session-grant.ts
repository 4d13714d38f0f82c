import { folderOf, isBelow } from "./path-place.ts";
import { hostOf, type JudgedEffect } from "./rule.ts";

/** What a person allowed for the rest of the session: one tool, and a folder, one command, or a host. */
export type Grant = { tool: string } & (
  | { kind: "read" | "write"; folder: string }
  | { kind: "run"; command: string; cwd: string }
  | { kind: "reach"; host: string }
  | { kind: "spend"; what: string }
);

/** The narrow grants that "for this session" means for a call. */
export function grantsFor(tool: string, effects: readonly JudgedEffect[]): Grant[] {
  const grants = effects.flatMap((each) => grantFor(tool, each) ?? []);
  // Reading comes with writing: to name both would only make the question longer.
  const written = grants.flatMap((grant) => (grant.kind === "write" ? [grant.folder] : []));
  return grants.filter((grant) => grant.kind !== "read" || !written.includes(grant.folder));
}

function grantFor(tool: string, { effect, realPath }: JudgedEffect): Grant | undefined {
  switch (effect.kind) {
    case "read":
    case "write":
      return { tool, kind: effect.kind, folder: folderOf(realPath ?? effect.path) };
    case "run":
      return { tool, kind: "run", command: effect.command, cwd: effect.cwd };
    case "reach": {
      const host = hostOf(effect.url);
      return host === undefined ? undefined : { tool, kind: "reach", host };
    }
    case "spend":
      return { tool, kind: "spend", what: effect.what };
  }
}

export function grantCovers(grant: Grant, tool: string, { effect, realPath }: JudgedEffect): boolean {
  if (grant.tool !== tool || grant.kind !== effect.kind) return false;
  switch (grant.kind) {
    case "read":
    case "write":
      return "path" in effect && isBelow(realPath ?? effect.path, grant.folder);
    case "run":
      return effect.kind === "run" && effect.command === grant.command && effect.cwd === grant.cwd;
    case "reach":
      return effect.kind === "reach" && hostOf(effect.url) === grant.host;
    case "spend":
      return effect.kind === "spend" && effect.what === grant.what;
  }
}

/** In words, for the person who is about to give them. */
export function grantWords(grants: readonly Grant[]): string {
  return `${grants[0]?.tool ?? ""}: ${[...new Set(grants.map(wordsFor))].join("; ")}`;
}

function wordsFor(grant: Grant): string {
  switch (grant.kind) {
    case "read":
      return `reads in ${grant.folder} and below`;
    case "write":
      return `writes in ${grant.folder} and below`;
    case "run":
      return `exactly this command: ${grant.command}`;
    case "reach":
      return `requests to ${grant.host}`;
    case "spend":
      return grant.what;
  }
}
