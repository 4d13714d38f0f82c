import { type PolicyRule, policyText } from "@harness/gate";
import { isRecord } from "@harness/host";
import type { FoundLeftover, LeftRow } from "./leftover.ts";
import { readLeftJson } from "./read-left-file.ts";

const PROGRAM = "Local Harness";
const MAX_POLICIES = 500;

/** Our tools, by the subject of a policy. Other subjects need no permission here. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  read_files: ["read"],
  write_files: ["write", "edit"],
  execute_commands: ["bash"],
  network_access: ["web_fetch", "web_search"],
};
const withPaths: readonly string[] = ["read_files", "write_files"];

/** The same for policies about a single tool: our tools, or the words of a command. */
const tools: Readonly<Record<string, readonly Pick<PolicyRule, "tool" | "argv">[]>> = {
  read_file: [{ tool: "read" }],
  read_lines: [{ tool: "read" }],
  write_file: [{ tool: "write" }, { tool: "edit" }],
  replace_lines: [{ tool: "edit" }],
  insert_lines: [{ tool: "edit" }],
  web_fetch: [{ tool: "web_fetch" }],
  web_search: [{ tool: "web_search" }],
  ...Object.fromEntries(
    ["add", "commit", "branch", "checkout", "stash", "push", "pull", "reset"].map((word) => [
      `git_${word}`,
      [{ tool: "bash", argv: ["git", word] }],
    ]),
  ),
};

/** The decisions of a policy, in all spellings. */
const modes: Readonly<Record<string, PolicyRule["decision"] | "once">> = {
  deny: "deny",
  denied: "deny",
  always_deny: "deny",
  ask: "ask",
  ask_each_time: "ask",
  allow: "allow",
  always_allow: "allow",
  allow_once: "once",
  once: "once",
};

/** The policies in a file of Local Harness, which has two shapes. */
export function policiesLeft(path: string, home: string): FoundLeftover[] {
  const place = { program: PROGRAM, kind: "policy" as const, path };
  const read = readLeftJson(path, home);
  if (!read) return [];
  if ("problem" in read) return [{ ...place, name: "", why: read.problem }];
  const list = isRecord(read.value) ? read.value.policies : read.value;
  if (!Array.isArray(list)) return [{ ...place, name: "", why: "it has no list of policies" }];
  const found = list.slice(0, MAX_POLICIES).flatMap((policy, at) => {
    const row = isRecord(policy) ? policy : {};
    const name = [nameOf(row, at), row.mode ?? row.decision].filter((each) => typeof each === "string").join(" ");
    return readingsOf(row).map((reading): FoundLeftover => {
      if ("why" in reading) return { ...place, name, ...reading };
      const becomes = `${reading.rule.decision} ${policyText(reading.rule)}`;
      return { ...place, name, becomes, change: { kind: "policy", rule: reading.rule } };
    });
  });
  const more = list.length - MAX_POLICIES;
  return more > 0
    ? [...found, { ...place, name: `${more} more`, why: `only the first ${MAX_POLICIES} are read` }]
    : found;
}

function nameOf({ scope, tool_name }: LeftRow, at: number): string {
  const name = scope ?? tool_name;
  return typeof name === "string" ? name.slice(0, 80) : `policy ${at + 1}`;
}

type RuleReading = { rule: PolicyRule } | { why: string };

function readingsOf(row: LeftRow): RuleReading[] {
  const mode = modes[String(row.mode ?? row.decision).toLowerCase()];
  if (mode === undefined) return [{ why: "it does not say what it decides" }];
  if (mode === "once") return [{ why: "it was for one call" }];
  return typeof row.tool_name === "string" ? ofTool(row.tool_name, mode) : ofScope(row, mode);
}

function ofTool(name: string, decision: PolicyRule["decision"]): RuleReading[] {
  const subjects = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!subjects) return [{ why: `harness asks for no permission for ${name.slice(0, 80)}` }];
  if (decision === "allow") return [{ why: looser(name === "read_file" || name === "read_lines") }];
  return subjects.map((subject) => ({ rule: { decision, ...subject } }));
}

function ofScope(row: LeftRow, decision: PolicyRule["decision"]): RuleReading[] {
  const scope = String(row.scope);
  const names = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  if (!names) return [{ why: "harness asks for no permission for it" }];
  const paths = textsOf(row.path_patterns);
  // Local Harness asked about paths that the policy does not cover, so the user meant to exclude them.
  const kept = withPaths.includes(scope) ? rulesFor(names, "deny", textsOf(row.deny_patterns)) : [];
  if (decision === "allow") return [{ why: looser(scope === "read_files") }, ...kept];
  if (paths.length === 0) return [{ why: "it has no patterns, so it decided about nothing" }, ...kept];
  if (withPaths.includes(scope)) return [...rulesFor(names, decision, paths), ...kept];
  if (!paths.includes("*")) return [{ why: "it has patterns of files, and is about no files" }];
  return names.map((tool) => ({ rule: { decision, tool } }));
}

function looser(isReading: boolean): string {
  return isReading
    ? "harness reads files of the workspace without asking"
    : "it would allow more than it means: harness asks, and the answer can be always";
}

function rulesFor(
  names: readonly string[],
  decision: PolicyRule["decision"],
  patterns: readonly string[],
): RuleReading[] {
  return patterns.flatMap((pattern): RuleReading[] => {
    const path = pathOf(pattern);
    if (path === undefined) return [{ why: `${JSON.stringify(pattern.slice(0, 80))} is no pattern below a project` }];
    return names.map((tool) => ({ rule: { decision, tool, path } }));
  });
}

/** Its globs: `*` for everything, a folder with `/**`, or an extension; all inside the project. */
function pathOf(pattern: string): string | undefined {
  const plain = pattern.replace(/^\.\//, "");
  if (plain === "" || plain.startsWith("/") || plain.startsWith("~") || plain.split("/").includes(".."))
    return undefined;
  if (plain === "*") return "**";
  return plain.startsWith("*.") ? `**/${plain}` : plain;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string").slice(0, 100) : [];
}
