import { relativeTo } from "../places/path-place.ts";
import { type PolicyRule, policyMeaning } from "../ports/policy.ts";
import type { ResolvedEffect } from "../resolved-effect.ts";
import { MCP, mcpPatternFor } from "../rules/mcp-pattern.ts";
import { isExactLine } from "./exact-line.ts";
import { type Grant, grantsFor } from "./grant.ts";

/**
 * The rules that "always" could save for a call, the best first: a rule for each command of a command line, or one for the whole
 * line; the tool and a folder for files; the host for a request. None if that cannot be said exactly. `root`: the
 * session's folder; `base`: the folder that path patterns of saved rules are relative to.
 */
export function lastingRules(
  tool: string,
  effects: readonly ResolvedEffect[],
  root: string,
  base: string = root,
): PolicyRule[][] {
  const proposed = soundRules(tool, effects, root, base);
  const line = lineRules(tool, effects, root);
  return [proposed, line].filter(({ length }) => length > 0);
}

function soundRules(tool: string, effects: readonly ResolvedEffect[], root: string, base: string): PolicyRule[] {
  const rules = effects.some(({ command }) => command)
    ? effects.flatMap((each) => proposalsOf(tool, each))
    : grantsFor(tool, effects, root).map((grant) => ruleOfGrant(grant, base));
  const sound = rules.filter((rule) => rule !== undefined);
  if (sound.length < rules.length || effects.some((each) => each.command && effects.length > 1)) return [];
  return sound.filter(
    (rule, index) => sound.findIndex((other) => policyMeaning(other) === policyMeaning(rule)) === index,
  );
}

/** Without the grammar a proposal may begin with a word that is not a command. */
function proposalsOf(tool: string, { command }: ResolvedEffect): PolicyRule[] {
  if (!command?.findings.exact) return [];
  return command.findings.proposals.map((each) => ({ decision: "allow", tool, ...each }));
}

function lineRules(tool: string, [each, ...others]: readonly ResolvedEffect[], root: string): PolicyRule[] {
  if (others.length > 0 || each?.effect.kind !== "run" || !each.command || each.effect.sent !== undefined) return [];
  const { command: line, cwd } = each.effect;
  if (!isExactLine(line, each.command, { cwd, roots: [root] })) return [];
  return [{ decision: "allow", tool, line, match: [line], not_match: [`${line}x`, `${line}; rm x`] }];
}

function ruleOfGrant(grant: Grant, base: string): PolicyRule | undefined {
  const { tool } = grant;
  switch (grant.kind) {
    case "read":
    case "write": {
      const path = "folder" in grant ? folderPattern(grant.folder, base) : filePattern(grant.file);
      return path === undefined ? undefined : { decision: "allow", tool, path };
    }
    case "reach":
      return { decision: "allow", tool, host: grant.host };
    case "mcp": {
      const mcp = mcpPatternFor({ server: grant.server, tool: grant.name });
      const { configuration } = grant;
      if (mcp === undefined) return undefined;
      return { decision: "allow", tool: MCP, mcp, ...(configuration === undefined ? {} : { configuration }) };
    }
    default:
      return undefined;
  }
}

const patternSigns = /[*?[\]{}]/;

/** Everything in a folder; undefined if its name contains pattern characters. */
function folderPattern(folder: string, base: string): string | undefined {
  if (patternSigns.test(folder) || folder.startsWith("~")) return undefined;
  const inside = relativeTo(base, folder);
  return inside ? `${inside}/**` : `${folder}/**`;
}

/** One file by its full path: a name alone would match anywhere. */
function filePattern(file: string): string | undefined {
  return patternSigns.test(file) ? undefined : file;
}

/**
 * The rules that `reject_always` saves. Examples are only for rules that allow, and a server is denied in any
 * configuration.
 */
export function denyingRules(rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.map(({ match: _match, not_match: _notMatch, configuration: _any, ...rule }) => ({
    ...rule,
    decision: "deny",
  }));
}
