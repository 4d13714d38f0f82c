import { checkPrefix, readOnlyPrefixes } from "@harness/gate";
import type { SettingKey } from "@harness/protocol";
import { misused, type ServerCommand, type ServerCommandContext } from "../server-command.ts";
import { keepSettings } from "./keep-settings.ts";

const HELP = [
  "/command list: what runs without asking, and what is always denied",
  "/command add PREFIX: commands with this prefix run without asking too",
  "/command rm PREFIX: harness asks about commands with this prefix again",
  "/command deny PREFIX: commands with this prefix are always denied",
  "/command undeny PREFIX: commands with this prefix are no longer denied",
  "/command reset: back to the built-in list",
  "/command resetdeny: no prefix is denied now",
  "These are your own settings, for every project.",
].join("\n");

/** The longest entry that the settings accept. */
const MAX_LENGTH = 1000;

type ListKey = "safe_command_prefixes" | "denied_command_prefixes";

type Verb = { takes: "nothing" | "prefix"; run(context: ServerCommandContext, prefix: string): string };

const verbs: Readonly<Record<string, Verb>> = {
  list: { takes: "nothing", run: prefixLists },
  help: { takes: "nothing", run: () => HELP },
  add: { takes: "prefix", run: (context, prefix) => addTo(context, "safe_command_prefixes", prefix) },
  rm: { takes: "prefix", run: (context, prefix) => removeFrom(context, "safe_command_prefixes", prefix) },
  deny: { takes: "prefix", run: (context, prefix) => addTo(context, "denied_command_prefixes", prefix) },
  undeny: { takes: "prefix", run: (context, prefix) => removeFrom(context, "denied_command_prefixes", prefix) },
  reset: { takes: "nothing", run: (context) => reset(context, "safe_command_prefixes") },
  resetdeny: { takes: "nothing", run: (context) => reset(context, "denied_command_prefixes") },
};

export const commandCommand: ServerCommand = {
  description: "Which commands run without asking, and which are always denied, by prefix.",
  argumentHint: "[list | add | rm | deny | undeny PREFIX | reset | resetdeny | help]",
  needsSession: false,
  run(context, args) {
    const [name = "list", ...words] = args.split(/\s+/).filter(Boolean);
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (!verb || (verb.takes === "prefix") !== words.length > 0) throw misused(HELP);
    return verb.run(context, words.join(" "));
  },
};

/** The user's own entries, without those that a project adds. Null: the built-in list. */
function own({ workspace }: ServerCommandContext, key: ListKey): readonly string[] | null {
  const view = workspace.settings.load().views.find((each) => each.key === key);
  const value = view && "own" in view ? view.own : view?.value;
  return Array.isArray(value) ? value.map(String) : null;
}

function prefixLists(context: ServerCommandContext): string {
  const { safeCommandPrefixes, autoAcceptSafeCommands, deniedCommandPrefixes } = context.workspace.settings.gate;
  const builtIn = readOnlyPrefixes();
  const all = safeCommandPrefixes ?? [];
  const removed = all.filter(isTakenOff).map((each) => each.slice(1));
  const mine = all.filter((each) => !isTakenOff(each) && !builtIn.includes(each));
  const safe = builtIn.filter((each) => !removed.includes(each));
  return [
    `Without asking (the built-in list, in forms that only read): ${inOrder(safe)}`,
    ...(mine.length > 0 ? [`Yours: ${inOrder(mine)}`] : []),
    ...(removed.length > 0 ? [`Asked about again: ${inOrder(removed)}`] : []),
    ...(autoAcceptSafeCommands
      ? []
      : ["But /autoaccept is off, or the settings cannot be read: harness asks about all of them."]),
    `Always denied: ${inOrder(deniedCommandPrefixes)}`,
    ...context.workspace.settings.load().problems,
  ].join("\n");
}

function isTakenOff(entry: string): boolean {
  return entry.startsWith("!");
}

/** For display only: plain words separated by blanks, so that lines break there. */
function inOrder(prefixes: readonly string[]): string {
  return [...prefixes].sort().join(", ") || "(none)";
}

function addTo(context: ServerCommandContext, key: ListKey, prefix: string): string {
  const mine = own(context, key) ?? [];
  if (mine.includes(prefix)) return `${prefix} is already in the list.`;
  if (prefix.length > MAX_LENGTH) return "That is too long for a prefix. Nothing was saved.";
  // Prefixes are compared word by word, so these characters would never match.
  if (/[;&|<>$`(){}*?[\n!]/.test(prefix))
    return `${prefix} contains shell syntax: write the plain words that a command begins with.`;
  if (key === "denied_command_prefixes") {
    return (
      keepSettings(context.host, [{ key, value: [...mine, prefix] }]) ??
      `Commands that begin with ${prefix} are always denied, also as part of other commands.`
    );
  }
  return addSafe(context, mine, prefix);
}

/** Only requested entries are saved, and only if they change something. */
function addSafe(context: ServerCommandContext, mine: readonly string[], prefix: string): string {
  const key = "safe_command_prefixes";
  if (mine.includes(`!${prefix}`)) {
    const left = mine.filter((each) => each !== `!${prefix}`);
    return keepList(context, key, left) ?? `Commands that begin with ${prefix} run without asking again.`;
  }
  const check = checkPrefix(prefix);
  if (check.use === "known")
    return `${prefix} runs without asking already, wherever it only reads. Other forms of it need a rule: /permissions allow bash(${prefix})`;
  if (check.use === "none")
    return `Nothing was saved: ${prefix} cannot be added (${check.reason}). A rule can allow it: /permissions allow bash(${prefix})`;
  return (
    keepList(context, key, [...mine, prefix]) ??
    `Commands that begin with ${prefix} run without asking, except with flags that start programs or reach elsewhere. Denials take precedence.`
  );
}

/** An empty list counts as never set. */
function keepList({ host }: ServerCommandContext, key: ListKey, list: readonly string[]): string | undefined {
  return keepSettings(host, [{ key, value: list.length > 0 ? [...list] : null }]);
}

function removeFrom(context: ServerCommandContext, key: ListKey, prefix: string): string {
  const mine = own(context, key) ?? [];
  const isSafe = key === "safe_command_prefixes";
  const isBuiltIn = isSafe && !mine.includes(`!${prefix}`) && checkPrefix(prefix).use === "known";
  if (!mine.includes(prefix) && !isBuiltIn) return missingPrefix(context, key, prefix);
  const left = mine.filter((each) => each !== prefix);
  const problem = keepList(context, key, isBuiltIn ? [...left, `!${prefix}`] : left);
  if (problem !== undefined) return problem;
  const wider = left.find((each) => `${prefix} `.startsWith(`${each} `));
  if (wider !== undefined)
    return `${prefix} was removed. ${wider} is still in the list and covers it: /command rm ${wider}`;
  return isSafe
    ? `harness asks about commands that begin with ${prefix} again.`
    : `Commands that begin with ${prefix} are no longer denied.`;
}

function missingPrefix({ workspace }: ServerCommandContext, key: ListKey, prefix: string): string {
  const view = workspace.settings.load().views.find((each) => each.key === key);
  const isOfProject = Array.isArray(view?.value) && view.value.includes(prefix);
  return isOfProject
    ? `${prefix} comes from the files of this project: remove it there.`
    : `${prefix} is not in the list. /command list shows it.`;
}

function reset(context: ServerCommandContext, key: SettingKey & ListKey): string {
  const problem = keepSettings(context.host, [{ key, value: null }]);
  if (problem !== undefined) return problem;
  return key === "safe_command_prefixes"
    ? "The built-in list applies again."
    : "Your settings no longer deny any prefix.";
}
