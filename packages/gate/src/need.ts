import type { Effect, Risk } from "@harness/protocol";
import type { CommandView } from "./command/command-view.ts";
import { UNCHECKED_INPUT } from "./findings/danger.ts";
import { innermostRoot, isWithin, relativeTo } from "./places/path-place.ts";
import { isHarmlessDevice, isProtected } from "./places/protected-places.ts";
import { isSecret } from "./places/secret-files.ts";
import { placeOfUrl } from "./places/url-host.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";

/** The permission that a single effect needs. */
export type Need = {
  ask: boolean;
  /** Asked in every mode; no rule or answer allows it. */
  always: boolean;
  /** True if rules about whole folders do not cover it. */
  secret: boolean;
  /** It writes outside the workspace, which rules about a whole tool do not cover. */
  outside?: true;
  /** It changes or reads an ordinary workspace file. */
  plain?: "read" | "write";
  /**
   * A command that counts as safe: exactly the words that were checked may run unasked. `looks`: it provably only
   * reads.
   */
  safeCommand?: "looks" | "by settings";
  /** Why the command is not fully understood. */
  problem?: string;
  reason: string;
  risk: Risk;
};

export type NeedOptions = {
  /** Real paths of the workspace folders, the session's own first. */
  roots: readonly string[];
  /**
   * Real paths of other folders that may be read like the workspace: the session's saved texts, skills. Absent: none.
   */
  readable?: readonly string[];
  /** True if reads are asked about as well. */
  strict: boolean;
  /** True if commands that only read run unasked. */
  acceptsReaders: boolean;
  /** True if a file that may hold secrets was read in this session. */
  sawSecret: boolean;
  /** Real paths of files that trusted hooks, servers and the like run. Absent: none. */
  runFiles?: readonly string[];
};

const plainAsk = { ask: true, always: false, secret: false } as const;

export function needOf(resolved: ResolvedEffect, options: NeedOptions): Need {
  const { effect } = resolved;
  switch (effect.kind) {
    case "read":
      return readNeed(effect.path, resolved.realPath ?? effect.path, options);
    case "write":
      return writeNeed(effect.path, resolved.realPath ?? effect.path, options, resolved.inRepository === true);
    case "run": {
      const need = commandNeed(resolved.command, options);
      if (resolved.inRepository) {
        return {
          ...need,
          ...plainAsk,
          always: true,
          reason: "runs a command that writes into a git folder",
          risk: "high",
        };
      }
      const run = resolved.command?.writePaths.find((path) => isRun(path, options));
      if (run !== undefined) {
        return {
          ...need,
          ...plainAsk,
          always: true,
          reason: `runs a command that ${writesRun(run, options)}`,
          risk: "high",
        };
      }
      if (effect.outside)
        return { ...need, ...plainAsk, always: true, reason: "runs outside the sandbox", risk: "high" };
      return need;
    }
    case "reach":
      return leaving(
        { ...plainAsk, reason: `reaches ${placeOfUrl(effect.url) ?? effect.url.slice(0, 100)}`, risk: "medium" },
        options,
      );
    case "spend":
      return { ...plainAsk, reason: `spends ${effect.what}`, risk: "medium" };
    case "mcp":
      return leaving(mcpNeed(effect), options);
  }
}

/** A tool that has changed since it last ran is asked about again, whatever allowed it before. */
function mcpNeed({ server, tool, destructive, changed }: Extract<Effect, { kind: "mcp" }>): Need {
  const does = destructive ? ", which is declared destructive" : "";
  const other = changed ? ", whose description has changed since it last ran" : "";
  const reason = `calls ${tool.slice(0, 100)} of the MCP server ${server}${does}${other}`;
  return { ...plainAsk, always: changed === true, reason, risk: destructive || changed ? "high" : "medium" };
}

/** After secrets were read, everything that leaves the machine could carry them and is asked about each time. */
function leaving(need: Need, { sawSecret }: NeedOptions): Need {
  if (!sawSecret) return need;
  const reason = `${need.reason}, after a file that may hold secrets was read in this session`;
  return { ...need, always: true, reason, risk: "high" };
}

function commandNeed(command: CommandView | undefined, options: NeedOptions): Need {
  if (!command) return { ...plainAsk, reason: "runs a command", risk: "medium" };
  const { findings, reads, problem, secrets } = command;
  const { danger } = findings;
  if (danger?.always)
    return { ...plainAsk, always: true, reason: `runs a command that ${danger.reason}`, risk: "high" };
  if (reads && secrets.length === 0 && (command.onlyReads || !danger)) {
    return readerNeed(reads, command.onlyReads, options);
  }
  const odd = problem === undefined ? {} : { problem };
  const named = secrets.length === 0 ? undefined : `names ${secrets.slice(0, 3).join(", ")}, which may hold secrets`;
  // The danger already says that it cannot be checked.
  const unclear = danger?.reason === UNCHECKED_INPUT ? undefined : problem;
  const does = [danger?.reason ?? named, unclear].filter((each) => each !== undefined).join("; it ");
  const reason = does === "" ? "runs a command" : `runs a command that ${does}`;
  const isHigh = danger !== undefined || named !== undefined;
  const need: Need = { ...plainAsk, ...odd, secret: named !== undefined, reason, risk: isHigh ? "high" : "medium" };
  return findings.hosts.length > 0 ? leaving(need, options) : need;
}

/** The need of a safe command depends on the paths that it reads. */
function readerNeed(reads: NonNullable<CommandView["reads"]>, onlyReads: boolean, options: NeedOptions): Need {
  const safeCommand = onlyReads ? "looks" : "by settings";
  for (const { path, realPath } of reads) {
    const { ask, secret, reason, risk } = readNeed(path, realPath, { ...options, strict: false });
    if (ask) return { ...plainAsk, secret, safeCommand, reason: `runs a command that ${reason}`, risk };
  }
  const reason = onlyReads
    ? "runs a command that only reads"
    : "runs a command that is safe according to your settings";
  const need: Need = { ...plainAsk, safeCommand, reason, risk: "safe" };
  return options.strict || !options.acceptsReaders ? need : { ...need, ask: false };
}

/** The path for display: relative inside the workspace, absolute elsewhere. */
function shownPath(path: string, real: string, roots: readonly string[]): string {
  const [own = "/"] = roots;
  return (isWithin(real, own) ? relativeTo(own, real) : path) || ".";
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(path, root));
}

function readNeed(path: string, real: string, { roots, readable = [], strict }: NeedOptions): Need {
  const shown = shownPath(path, real, roots);
  if (isSecret(path) || isSecret(real)) {
    return { ...plainAsk, secret: true, reason: `reads ${shown}, which may hold secrets`, risk: "high" };
  }
  if (!isInside(real, readable) && !isInside(real, roots))
    return { ...plainAsk, reason: `reads outside the workspace: ${real}`, risk: "medium" };
  const need: Need = { ...plainAsk, plain: "read", reason: `reads ${shown}`, risk: "safe" };
  if (!strict) return { ...need, ask: false };
  return { ...need, reason: `${need.reason}, and \`strict\` asks about that too`, risk: "medium" };
}

/** True if a write to the path, or to a folder that contains it, would change a file that a hook or a server runs. */
function isRun(path: string, { runFiles = [], roots }: NeedOptions): boolean {
  return runFiles.some(
    (each) => isWithin(path, each) || (isWithin(each, path) && !roots.some((root) => isWithin(root, path))),
  );
}

function writesRun(path: string, { roots }: NeedOptions): string {
  return `writes ${shownPath(path, path, roots)}, which a hook, a server or your shell runs`;
}

function writeNeed(path: string, real: string, options: NeedOptions, inRepository: boolean): Need {
  const { roots } = options;
  const shown = shownPath(path, real, roots);
  const secret = isSecret(path) || isSecret(real);
  // A tool replaces the file instead of opening it.
  const isDevice = isHarmlessDevice(path) || isHarmlessDevice(real);
  if (
    inRepository ||
    isDevice ||
    isProtected(path, innermostRoot(path, roots)) ||
    isProtected(real, innermostRoot(real, roots))
  ) {
    return { ...plainAsk, always: true, secret, reason: `writes to a protected file: ${shown}`, risk: "high" };
  }
  const run = [real, path].find((each) => isRun(each, options));
  if (run !== undefined) return { ...plainAsk, always: true, secret, reason: writesRun(run, options), risk: "high" };
  if (!isInside(real, roots)) {
    return { ...plainAsk, secret, outside: true, reason: `writes outside the workspace: ${real}`, risk: "high" };
  }
  if (secret) return { ...plainAsk, secret, reason: `writes ${shown}, which may hold secrets`, risk: "high" };
  const link = real === path ? "" : " (through a link)";
  return { ...plainAsk, plain: "write", reason: `writes ${shown}${link}`, risk: "medium" };
}
