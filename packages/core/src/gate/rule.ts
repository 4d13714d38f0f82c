import type { Effect } from "@harness/protocol";
import { isQuietCommand, isSimpleCommand, joinedLines, wordRuns, wordsOf } from "./command-shape.ts";
import { coverOf, type PathCover, patternIssue } from "./path-pattern.ts";

/** `tool` or `tool(pattern)`: a command prefix, a path pattern relative to the workspace, or a host. */
export type Rule = { text: string; tool: string; pattern?: string };

/** An effect with the path it has after links are resolved. */
export type JudgedEffect = { effect: Effect; realPath?: string };

/** Tools whose patterns are the beginnings of commands. */
const commandTools: readonly string[] = ["bash", "run"];
/** Tools that name a kind of effect: a path that is denied to one of them is denied to every tool that does the same. */
const effectOfTool: Readonly<Record<string, Effect["kind"]>> = { read: "read", write: "write", edit: "write" };

/**
 * Reads one rule as people write it; a sentence when it is none, or when it would never match what it seems to mean.
 * With `toolNames` a rule about any other tool is a problem as well.
 */
export function parseRule(text: string, toolNames?: readonly string[]): Rule | { problem: string } {
  const problem = (words: string) => ({ problem: `The rule \`${text}\` ${words}.` });
  const written = text.trim();
  const match = /^([A-Za-z0-9_*-]+)(?:\((.*)\))?$/.exec(written);
  if (!match?.[1]) return problem("is not readable: write `tool` or `tool(pattern)`, as in `bash(npm test)`");
  const tool = match[1].toLowerCase();
  if (tool.includes("*") && tool !== "*") {
    return problem("has a `*` in the name of a tool: only `*` alone stands for all tools");
  }
  if (toolNames && tool !== "*" && !toolNames.some((name) => name.toLowerCase() === tool)) {
    return problem(`names no tool: there is no \`${match[1]}\`; the tools are ${toolNames.join(", ")}`);
  }
  const pattern = match[2]?.trim().replace(/:\*$|\s\*$/, "");
  if (pattern === "") return problem("has an empty pattern: leave the parentheses out to mean every call");
  if (pattern === undefined || pattern === "*") return { text: written, tool };
  const issue = commandTools.includes(tool) ? commandIssue(tool, pattern) : patternIssue(pattern);
  return issue ? problem(issue) : { text: written, tool, pattern };
}

function commandIssue(tool: string, pattern: string): string | undefined {
  if (!/[*?[{]/.test(pattern)) return undefined;
  return `has signs that stand for nothing in a command: a pattern is the beginning of a command, as in \`${tool}(npm run)\``;
}

function names(rule: Rule, tool: string): boolean {
  return rule.tool === "*" || rule.tool === tool.toLowerCase();
}

/** Deny rules read widely: any part of a command, the path as written or as it really is, in any case of letters. */
export function ruleDenies(rule: Rule, tool: string, effects: readonly JudgedEffect[], root: string): boolean {
  const { pattern } = rule;
  if (pattern === undefined) return names(rule, tool);
  return effects.some(
    (each) => (names(rule, tool) || effectOfTool[rule.tool] === each.effect.kind) && deniesEffect(pattern, each, root),
  );
}

function deniesEffect(pattern: string, { effect, realPath }: JudgedEffect, root: string): boolean {
  switch (effect.kind) {
    case "run":
      return deniesCommand(pattern, effect.command);
    case "read":
    case "write":
      return [effect.path, realPath ?? effect.path].some((path) => coverOf(pattern, path, root, "deny") !== undefined);
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
      return coverOf(pattern, realPath ?? effect.path, root, "allow") !== undefined;
    case "reach":
      return matchesHost(pattern, effect.url);
    case "spend":
      return effect.what === pattern;
  }
}

/** Does the rule name this very file, or a folder around it? Only the former covers secrets. */
export function namesFile(rule: Rule, { effect, realPath }: JudgedEffect, root: string): boolean {
  if (rule.pattern === undefined || !("path" in effect)) return false;
  const cover: PathCover = coverOf(rule.pattern, realPath ?? effect.path, root, "allow");
  return cover === "named" && !/(?:^|\/)\*+$/.test(rule.pattern);
}

function startsWithWords(text: string, prefix: string): boolean {
  return text === prefix || (text.startsWith(prefix) && /^[ \t]/.test(text.slice(prefix.length)));
}

/**
 * The rule's words anywhere in the command: no reading of a shell finds every place where a program can begin. Only
 * commands that can start nothing else, such as `echo git push`, are read by their beginning alone.
 */
function deniesCommand(pattern: string, command: string): boolean {
  if (startsWithWords(command.trim(), pattern)) return true;
  if (!isSimpleCommand(pattern)) return [command, joinedLines(command)].some((text) => text.includes(pattern));
  const wanted = wordsOf(pattern);
  const anywhere = !isQuietCommand(command);
  return wordRuns(command, anywhere).some((words) => wanted.every((word, index) => words[index] === word));
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
