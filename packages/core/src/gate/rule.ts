import type { Effect } from "@harness/protocol";
import { commandViews, isSimpleCommand, wordsOf } from "./command-shape.ts";
import { relativeTo } from "./path-place.ts";

/** `tool` or `tool(pattern)`: a command prefix, a path pattern relative to the workspace, or a host. */
export type Rule = { text: string; tool: string; pattern?: string };

/** An effect with the path it has after links are resolved. */
export type JudgedEffect = { effect: Effect; realPath?: string };

/** Reads one rule as people write it; a sentence when it is none. */
export function parseRule(text: string): Rule | { problem: string } {
  const written = text.trim();
  const match = /^([A-Za-z0-9_*-]+)(?:\((.*)\))?$/.exec(written);
  if (!match?.[1]) {
    return {
      problem: `The rule \`${text}\` is not readable: write \`tool\` or \`tool(pattern)\`, as in \`bash(npm test)\`.`,
    };
  }
  const tool = match[1].toLowerCase();
  const pattern = match[2]?.trim().replace(/:\*$|\s\*$/, "");
  if (pattern === "") {
    return { problem: `The rule \`${text}\` has an empty pattern: leave the parentheses out to mean every call.` };
  }
  if (pattern?.startsWith("~")) {
    return { problem: `The rule \`${text}\` starts with \`~\`: write the path out, or relative to the workspace.` };
  }
  return pattern === undefined || pattern === "*" ? { text: written, tool } : { text: written, tool, pattern };
}

function names(rule: Rule, tool: string): boolean {
  return rule.tool === "*" || rule.tool === tool.toLowerCase();
}

/** Deny rules read widely: any part of a command, the path as written or as it really is, in any case of letters. */
export function ruleDenies(rule: Rule, tool: string, effects: readonly JudgedEffect[], root: string): boolean {
  if (!names(rule, tool)) return false;
  const { pattern } = rule;
  if (pattern === undefined) return true;
  return effects.some((each) => deniesEffect(pattern, each, root));
}

function deniesEffect(pattern: string, { effect, realPath }: JudgedEffect, root: string): boolean {
  switch (effect.kind) {
    case "run":
      return deniesCommand(pattern, effect.command);
    case "read":
    case "write":
      return [effect.path, realPath ?? effect.path].some((path) => matchesPath(pattern, path, root, "deny"));
    case "reach":
      return matchesHost(pattern, effect.url);
    case "spend":
      return effect.what === pattern;
  }
}

/** Allow rules read narrowly: one simple command, the real path. */
export function ruleAllows(rule: Rule, tool: string, { effect, realPath }: JudgedEffect, root: string): boolean {
  if (!names(rule, tool)) return false;
  const { pattern } = rule;
  if (pattern === undefined) return true;
  switch (effect.kind) {
    case "run":
      return isSimpleCommand(effect.command) && startsWithWords(effect.command.trim(), pattern);
    case "read":
    case "write":
      return matchesPath(pattern, realPath ?? effect.path, root, "allow");
    case "reach":
      return matchesHost(pattern, effect.url);
    case "spend":
      return effect.what === pattern;
  }
}

/** Does the rule name this very file, or is it about everything in a folder? Only the former covers secrets. */
export function namesFiles(rule: Rule): boolean {
  return rule.pattern !== undefined && !/(?:^|\/)\*+$/.test(rule.pattern);
}

function startsWithWords(text: string, prefix: string): boolean {
  return text === prefix || (text.startsWith(prefix) && /^\s/.test(text.slice(prefix.length)));
}

function deniesCommand(pattern: string, command: string): boolean {
  if (startsWithWords(command.trim(), pattern)) return true;
  if (!isSimpleCommand(pattern)) return command.includes(pattern);
  const wanted = wordsOf(pattern);
  return commandViews(command).some((words) => wanted.every((word, index) => words[index] === word));
}

type PathUse = "allow" | "deny";

function matchesPath(pattern: string, path: string, root: string, use: PathUse): boolean {
  const inside = relativeTo(root, path);
  if (pattern.startsWith("/")) return glob(pattern, use).test(path);
  if (inside === undefined) return false;
  const plain = pattern.replace(/^\.\//, "");
  if (plain.includes("/") || plain === "**") return glob(plain, use).test(inside);
  const segments = inside.split("/");
  return (use === "deny" ? segments : segments.slice(-1)).some((segment) => glob(plain, use).test(segment));
}

const globs = new Map<string, RegExp>();

/** `**` any depth, `*` and `?` within a segment; `dir/**` is the folder as well. */
function glob(pattern: string, use: PathUse): RegExp {
  const key = `${use}:${pattern}`;
  const known = globs.get(key);
  if (known) return known;
  const source = pattern
    .split(/(\/\*\*$|\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "/**") return "(?:/.*)?";
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  const made = new RegExp(`^${source}$`, use === "deny" ? "isu" : "su");
  globs.set(key, made);
  return made;
}

/** The host a URL really leads to: user info is skipped, a backslash ends it as browsers read it. */
export function hostOf(url: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]*)/i.exec(url.trim())?.[1];
  const host = authority?.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  return host ? host.toLowerCase().replace(/\.$/, "") : undefined;
}

function matchesHost(pattern: string, url: string): boolean {
  const host = hostOf(url);
  if (host === undefined) return false;
  const wanted = pattern.toLowerCase();
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
}
