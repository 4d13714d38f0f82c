import { grantCovers } from "./answers/grant.ts";
import { nameLength } from "./findings/command-name.ts";
import { normalizedWords } from "./findings/found-command.ts";
import type { GateQuery } from "./gate-query.ts";
import type { Need } from "./need.ts";
import { resolvePath } from "./places/path-place.ts";
import { isSecret } from "./places/secret-files.ts";
import { readByTable } from "./programs/programs.ts";
import { reachesFurther } from "./programs/reach/reach-table.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import { allowsLine, namesFile, type Rule, ruleAllows, ruleAllowsCommand, ruleNames } from "./rules/rule.ts";
import type { CheckedCommand, CheckedLine } from "./shell/checked-line.ts";
import { splitWords } from "./shell/command-text.ts";

/** The rule or grant that covers every effect that needs one; undefined: some effects are not covered. */
export function coverFor(
  query: GateQuery,
  needs: readonly Need[],
): { by: "rule"; rule: Rule } | { by: "grant" } | undefined {
  const { tool, effects, grants } = query;
  const allow = query.rules.filter(({ decision }) => decision === "allow");
  const rule = allow.find((each) => isNamed(each, query));
  const isGranted = effects.some((each, at) =>
    grants.some((grant) => grantCovers(grant, tool, each, needs[at]?.plain)),
  );
  if (!rule && !isGranted) return undefined;
  const isCovered = effects.every((each, at) => {
    const need = needs[at];
    if (!need?.ask || rulesCover(query, allow, each, need)) return true;
    return !need.secret && grants.some((grant) => grantCovers(grant, tool, each, need.plain));
  });
  if (!isCovered) return undefined;
  return rule ? { by: "rule", rule } : { by: "grant" };
}

/** True if the rule is about something in the call. */
function isNamed(rule: Rule, { tool, effects, roots }: GateQuery): boolean {
  if (effects.length === 0) return !rule.subject && ruleNames(rule, tool);
  return effects.some((each) => {
    const line = rule.subject?.line === undefined ? each.command?.line : undefined;
    return line
      ? line.commands.some((command) => ruleAllowsCommand(rule, tool, command))
      : ruleAllows(rule, tool, each, roots[0] ?? "/");
  });
}

function rulesCover(query: GateQuery, allow: readonly Rule[], resolved: ResolvedEffect, need: Need): boolean {
  const { tool, roots } = query;
  const [root = "/"] = roots;
  const { command } = resolved;
  if (!command) {
    return allow.some((rule) => {
      // A rule about a tool alone says nothing about places that the user did not think of.
      if (need.outside && !rule.subject) return false;
      return ruleAllows(rule, tool, resolved, root) && (!need.secret || namesFile(rule, resolved, root));
    });
  }
  if (command.problem !== undefined) return false;
  const secrets = secretWordsOf(resolved, need);
  if (secrets === undefined) return false;
  const usable = allow.filter(({ origin, subject }) => {
    // Only rules given for this run allow dangerous commands; saved rules do not.
    if (command.findings.danger && origin.scope !== "run") return false;
    return secrets.every((word) => subject?.command?.argv.includes(word));
  });
  if (usable.some((rule) => ruleNames(rule, tool) && allowsLine(rule, resolved, root))) return true;
  const { line, findings } = command;
  const isRuledBy = (rule: Rule, each: CheckedCommand, patterns = each) =>
    ruleAllowsCommand(rule, tool, each) && !isBeyond(rule, fromRoots(patterns, roots));
  const isStartRuled = (words: readonly string[]) =>
    usable.some((rule) => isRuledBy(rule, commandOf(words), openTo(words)) || namesBehind(rule, words)) ||
    onlyReads(words);
  if (line && !startedBeside(findings.views, line).every(isStartRuled)) return false;
  if (!line) {
    const words = openTo(splitWords("command" in resolved.effect ? resolved.effect.command : ""));
    return usable.some((rule) => ruleAllows(rule, tool, resolved, root) && !isBeyond(rule, fromRoots(words, roots)));
  }
  const isRuled = line.commands.map((each) => usable.some((rule) => isRuledBy(rule, each)));
  const mayPassOn = query.acceptsReaders && !query.strict && !command.findings.danger;
  return (
    isRuled.includes(true) &&
    isRuled.every((ruled, at) => ruled || command.stays[at] || (mayPassOn && command.passesOn[at]))
  );
}

/**
 * The words for secret places that a rule must contain; undefined: it reads a secret that none of its words names as it
 * is.
 */
function secretWordsOf({ effect, command }: ResolvedEffect, { secret, safeCommand }: Need): string[] | undefined {
  if (!command) return [];
  if (!secret || safeCommand === undefined) return [...command.secrets];
  const cwd = "cwd" in effect ? effect.cwd : "/";
  const words = command.findings.secrets.map(({ word }) => word);
  const named = words.map((word) => resolvePath(cwd, word));
  const read = (command.reads ?? []).filter(({ path, realPath }) => isSecret(path) || isSecret(realPath));
  return read.every(({ path, realPath }) => path === realPath && named.includes(path)) ? words : undefined;
}

/** Commands started by the line's own commands: a rule for the line's words says nothing about them. */
function startedBeside(views: readonly (readonly string[])[], line: CheckedLine): (readonly string[])[] {
  const own = new Set(
    line.commands.map((each) => keyOf(normalizedWords({ words: [{ text: each.program }, ...each.args] }))),
  );
  return views.filter((words) => !own.has(keyOf(words)));
}

function keyOf(words: readonly string[]): string {
  return words.join("\u0000");
}

function commandOf([program = "", ...args]: readonly string[]): CheckedCommand {
  return { program, args: args.map((text) => ({ text, glob: false })), env: [], redirects: [] };
}

/** Quotes are no longer known here, so pattern characters in these words count as patterns. */
function openTo(words: readonly string[]): CheckedCommand {
  const command = commandOf(words);
  return { ...command, args: command.args.map(({ text }) => ({ text, glob: /[*?[]/.test(text) })) };
}

/** Replaces absolute workspace paths with relative ones: the targets are the same. */
function fromRoots(command: CheckedCommand, roots: readonly string[]): CheckedCommand {
  const inside = (text: string) => {
    const root = roots.find((each) => text === each || text.startsWith(`${each}/`));
    return root === undefined ? text : text.slice(root.length + 1) || ".";
  };
  return { ...command, args: command.args.map((word) => ({ ...word, text: inside(word.text) })) };
}

/** True if the rule names the command that another command starts, as `bash(timeout 60 npm test)` does. */
function namesBehind({ subject }: Rule, words: readonly string[]): boolean {
  if (!subject) return true;
  const argv = subject.command?.argv ?? [];
  const isNamed = (at: number) => at > 0 && argv.slice(at).every((word, index) => words[index] === word);
  return argv.some((_, at) => isNamed(at) && !isFurther(openTo(words), argv.length - at));
}

function onlyReads(words: readonly string[]): boolean {
  const reading = readByTable(commandOf(words));
  return reading !== undefined && !("reason" in reading);
}

/** Rules do not cover flags that make a command do more than its beginning says, unless they name the flag. */
function isBeyond({ subject }: Rule, command: CheckedCommand): boolean {
  const argv = subject?.command?.argv;
  if (argv === undefined) return false;
  return isFurther(command, argv.length);
}

/** True if the command does more than its first `length` words say. */
function isFurther(command: CheckedCommand, length: number): boolean {
  const named = nameLength([command.program, ...command.args.map(({ text }) => text)]);
  return reachesFurther(command, length, length < named ? "program" : "beginning");
}
