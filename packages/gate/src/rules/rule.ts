import type { Effect, RuleView } from "@harness/protocol";
import { type PathCover, PathPattern, patternIssue } from "../places/path-pattern.ts";
import { hostIssue, matchesHost } from "../places/url-host.ts";
import type { ResolvedEffect } from "../resolved-effect.ts";
import type { CheckedCommand } from "../shell/checked-line.ts";
import type { CommandStart } from "../shell/command-start.ts";
import { isSimpleCommand, splitWords } from "../shell/command-text.ts";
import { isForConfiguration } from "./mcp-binding.ts";
import { isMcpName, MCP, matchesMcp, mcpIssue, namesMcpTool } from "./mcp-pattern.ts";
import type { RuleTool } from "./rule-tool.ts";

/**
 * `tool` or `tool(pattern)`: a command prefix, a path pattern relative to the workspace, a host, or a tool of an MCP
 * server.
 */
export type RuleText = { text: string; tool: string; pattern?: string };

/** The origin of a rule, for lists. */
export type RuleOrigin = Pick<RuleView, "scope" | "where" | "ruleId" | "why" | "createdAt">;

/** One rule, whether it was written as text, in a policy file, or in a setting. */
export type Rule = {
  decision: RuleView["decision"];
  /** As people write it. */
  text: string;
  /** In lower case; `*` = all. */
  tool: string;
  /** Its subject, by kind of effect; absent: every call of the tool. `line`: a whole command line. */
  subject?: { command?: CommandStart; line?: string; path?: PathPattern; host?: string; what?: string; mcp?: string };
  /** The only configuration of the MCP server that it covers. */
  configuration?: string;
  /** The real folder that its path pattern is relative to; absent: the session's. */
  base?: string;
  origin: RuleOrigin;
};

/** Tools whose patterns are command prefixes. */
const commandTools: readonly string[] = ["bash", "run"];
/** Tools that name a kind of effect: a denial for one of them applies to every tool that does the same. */
const effectOfTool: Readonly<Record<string, Effect["kind"]>> = {
  bash: "run",
  run: "run",
  read: "read",
  write: "write",
  edit: "write",
  [MCP]: "mcp",
};

/**
 * Parses one rule as people write it; returns a problem if it is not a rule, or would never match what it seems to
 * mean. With `tools`, a rule about any other tool is a problem as well.
 */
export function parseRule(text: string, tools?: readonly RuleTool[]): RuleText | { problem: string } {
  const problem = (words: string) => ({ problem: `The rule \`${text}\` ${words}.` });
  const written = text.trim();
  const match = /^([A-Za-z0-9_*-]+)(?:\((.*)\))?$/.exec(written);
  if (!match?.[1]) return problem("cannot be read: write `tool` or `tool(pattern)`, as in `bash(npm test)`");
  const tool = match[1].toLowerCase();
  const named = toolIssue(match[1], tools);
  if (named) return problem(named);
  const pattern = match[2] === undefined ? undefined : withoutStar(match[2]);
  if (pattern === "") return problem("has an empty pattern: leave the parentheses out to mean every call");
  if (pattern === undefined || pattern === "*") return { text: written, tool };
  const issue = textIssue(tool, pattern, ruleToolOf(tool, tools)?.subject);
  return issue ? problem(issue) : { text: written, tool, pattern };
}

/** The problem with a tool name in a rule, as the end of a sentence. */
export function toolIssue(name: string, tools: readonly RuleTool[] | undefined): string | undefined {
  if (name === "*" || isMcpName(name)) return undefined;
  if (name.includes("*")) return "has a `*` in the name of a tool: only `*` by itself means all tools";
  if (!tools || ruleToolOf(name, tools)) return undefined;
  return `names an unknown tool: there is no \`${name}\`; the tools are ${tools.map((each) => each.name).join(", ")}`;
}

/** The tool that a rule names, in any letter case. */
export function ruleToolOf(name: string, tools: readonly RuleTool[] | undefined): RuleTool | undefined {
  return tools?.find((each) => each.name.toLowerCase() === name.toLowerCase());
}

function textIssue(tool: string, pattern: string, subject: RuleTool["subject"]): string | undefined {
  if (subject === "argv" || commandTools.includes(tool)) return commandIssue(pattern, `${tool}(npm run)`);
  if (tool === MCP) return mcpIssue(pattern);
  if (isMcpName(tool)) return "has a pattern, which MCP tools do not take: name the tool, as in `mcp(server/tool)`";
  return subject === "host" ? hostIssue(pattern) : patternIssue(pattern);
}

/** A command prefix matches any continuation by itself, so a trailing star is dropped. */
export function withoutStar(pattern: string): string {
  return pattern.trim().replace(/:\*$|\s\*$/, "");
}

/**
 * The part of a command prefix that people may expect to work but that would not; `example`: how to write it instead.
 */
export function commandIssue(pattern: string, example: string): string | undefined {
  if (!/[*?[{]/.test(pattern)) return undefined;
  return `contains characters that mean nothing here: a pattern is the beginning of a command, as in \`${example}\``;
}

/** A rule written as text: its pattern is interpreted according to each kind of effect. */
export function ruleFromText({ text, tool, pattern }: RuleText, decision: Rule["decision"], origin: RuleOrigin): Rule {
  if (pattern === undefined) return { decision, text, tool, origin };
  const command: CommandStart = { argv: splitWords(pattern), rest: "any", raw: pattern };
  return {
    decision,
    text,
    tool,
    subject: { command, path: new PathPattern(pattern), host: pattern, what: pattern, mcp: pattern },
    origin,
  };
}

export function ruleNames(rule: Rule, tool: string): boolean {
  const name = tool.toLowerCase();
  return rule.tool === "*" || rule.tool === name || namesMcpTool(rule.tool, name);
}

/** True if the rule names the tool. `mcp` covers MCP effects of any tool. */
function isAbout(rule: Rule, tool: string, effect: Effect): boolean {
  return ruleNames(rule, tool) || (rule.tool === MCP && effect.kind === "mcp");
}

/** A running shell executes the text it is sent, as the tool for commands would. */
function sendsAs(rule: Rule, effect: Effect): boolean {
  return commandTools.includes(rule.tool) && effect.kind === "run" && effect.sent !== undefined;
}

/**
 * Rules that deny or ask match widely: any command in a line, everything that a command is known to read and write, the
 * path as written or resolved, in any letter case, below any of the roots.
 */
export function ruleTouches(
  rule: Rule,
  tool: string,
  effects: readonly ResolvedEffect[],
  roots: readonly string[],
): boolean {
  const { subject, base } = rule;
  if (!subject) {
    return effects.some(({ effect }) => isAbout(rule, tool, effect) || sendsAs(rule, effect)) || ruleNames(rule, tool);
  }
  const bases = base === undefined ? roots : [base, ...roots];
  return effects.some((each) => {
    if (each.command && touchesPlaces(rule, each, bases)) return true;
    return (
      (ruleNames(rule, tool) || effectOfTool[rule.tool] === each.effect.kind) && touchesEffect(subject, each, bases)
    );
  });
}

function touchesEffect(
  { command, line, path, host, what, mcp }: NonNullable<Rule["subject"]>,
  resolved: ResolvedEffect,
  roots: readonly string[],
): boolean {
  const { effect, realPath } = resolved;
  switch (effect.kind) {
    case "run":
      if (line !== undefined) return effect.command.trim() === line;
      return command !== undefined && resolved.command?.starts(command) === true;
    case "read":
    case "write":
      if (path === undefined) return false;
      if (isCovered(path, effect.path, roots)) return true;
      return realPath !== undefined && realPath !== effect.path && isCovered(path, realPath, roots);
    case "reach":
      return host !== undefined && matchesHost(host, effect.url);
    case "spend":
      return what !== undefined && effect.what === what;
    case "mcp":
      return mcp !== undefined && matchesMcp(mcp, effect, "deny");
  }
}

/** If `read` may not read a file, neither may a command, as far as its arguments show. */
function touchesPlaces(rule: Rule, { command }: ResolvedEffect, roots: readonly string[]): boolean {
  const path = rule.subject?.path;
  if (path === undefined || !command) return false;
  const kind = effectOfTool[rule.tool];
  const places = [
    ...(rule.tool === "*" || kind === "read" ? [...command.readPaths, ...(command.mayRead?.names ?? [])] : []),
    ...(rule.tool === "*" || kind === "write" ? command.writePaths : []),
  ];
  return places.some((each) => isCovered(path, each, roots));
}

function isCovered(pattern: PathPattern, path: string, roots: readonly string[]): boolean {
  return roots.some((root) => pattern.cover(path, root, "deny") !== undefined);
}

/**
 * Rules that allow match narrowly: every command of an understood line, and the resolved path. `root`: the session's
 * folder.
 */
export function ruleAllows(rule: Rule, tool: string, resolved: ResolvedEffect, root: string): boolean {
  const { subject, base = root } = rule;
  const { effect, realPath } = resolved;
  if (!isAbout(rule, tool, effect)) return false;
  if (effect.kind === "mcp" && !isForConfiguration(rule, effect)) return false;
  if (!subject) return true;
  switch (effect.kind) {
    case "run": {
      if (subject.line !== undefined) return allowsLine(rule, resolved, root);
      const { command } = subject;
      if (!command) return false;
      const line = resolved.command?.line;
      if (line) return line.commands.every((each) => startAllows(command, each));
      return command.raw !== undefined && textAllows(command.raw, effect.command);
    }
    case "read":
    case "write":
      return subject.path?.cover(realPath ?? effect.path, base, "allow") !== undefined;
    case "reach":
      return subject.host !== undefined && matchesHost(subject.host, effect.url);
    case "spend":
      return subject.what === effect.what;
    case "mcp":
      return subject.mcp !== undefined && matchesMcp(subject.mcp, effect, "allow");
  }
}

/** True if the rule would allow the call of an MCP tool, were its server not configured differently. */
export function isForOtherServer(rule: Rule, tool: string, resolved: ResolvedEffect, root: string): boolean {
  const { effect } = resolved;
  if (effect.kind !== "mcp" || isForConfiguration(rule, effect)) return false;
  const { configuration: _configuration, ...open } = rule;
  const { project: _project, replaces: _replaces, ...plain } = effect;
  return ruleAllows(open, tool, { ...resolved, effect: plain }, root);
}

/** True if the rule is about exactly this line, in the folder that its rules belong to. */
export function allowsLine({ subject, base }: Rule, { effect }: ResolvedEffect, root: string): boolean {
  if (effect.kind !== "run" || effect.sent !== undefined || subject?.line === undefined) return false;
  return effect.command === subject.line && effect.cwd === (base ?? root);
}

/** True if the rule allows this single command of a line. */
export function ruleAllowsCommand(rule: Rule, tool: string, command: CheckedCommand): boolean {
  if (!ruleNames(rule, tool)) return false;
  return !rule.subject || (rule.subject.command !== undefined && startAllows(rule.subject.command, command));
}

/** The same words, none of them expanded by the shell. Variables and input files would change what it does. */
function startAllows({ argv, rest }: CommandStart, { program, args, env, input }: CheckedCommand): boolean {
  const words = [{ text: program, glob: false }, ...args];
  if (env.length > 0 || input !== undefined || argv.length === 0 || (rest === "none" && words.length !== argv.length))
    return false;
  return argv.every((each, index) => words[index]?.text === each && words[index]?.glob === false);
}

const MAX_TEXT = 10_000;

/** A simple command that the strict reading rejects, such as `./gradlew test`: its text must begin as the rule does. */
function textAllows(prefix: string, text: string): boolean {
  // A line may continue on the next, except in a comment.
  const command = text.includes("#") ? text.trim() : text.trim().replace(/(?<![ \t])[ \t]+\\\n[ \t]*/g, " ");
  if (command.length > MAX_TEXT || !isSimpleCommand(command) || /[^\t\x20-\x7e\p{L}\p{N}]/u.test(command)) return false;
  return command === prefix || (command.startsWith(prefix) && /^[ \t]/.test(command.slice(prefix.length)));
}

/** True if the rule names this very file; a rule that names a folder around it does not cover secrets. */
export function namesFile(rule: Rule, { effect, realPath }: ResolvedEffect, root: string): boolean {
  const path = rule.subject?.path;
  if (path === undefined || !("path" in effect)) return false;
  const cover: PathCover = path.cover(realPath ?? effect.path, rule.base ?? root, "allow");
  return cover === "named" && !/(?:^|\/)\*+$/.test(path.text);
}
