import { homedir } from "node:os";
import type { RuleView } from "@harness/protocol";
import { misused, type ServerCommand, type ServerCommandContext } from "../server-command.ts";

const USAGE =
  "Type /permissions, /permissions revoke N (a number of that list), or /permissions allow RULE, ask RULE, deny RULE: " +
  "a rule such as bash(npm test) or write(src/**), saved for this project.";

export const permissionsCommand: ServerCommand = {
  aliases: ["approvals", "allowed-tools"],
  description: "The rules in force here: answers, policies, settings. Add or remove one.",
  argumentHint: "[revoke N | allow RULE | ask RULE | deny RULE]",
  needsSession: false,
  run(context, args) {
    const [, what = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(args) ?? [];
    if (what === "" || (what === "list" && rest === "")) return ruleList(context);
    if (what === "revoke" && rest !== "") return revoked(context, rest);
    if ((what === "allow" || what === "ask" || what === "deny") && rest !== "") return addRule(context, what, rest);
    throw misused(USAGE);
  },
};

function ruleList({ session, workspace, host }: ServerCommandContext): string {
  const { safety } = workspace;
  const { rules, problems, everythingAsks } = safety.rules.list(session);
  const { user } = safety.rules.policies.paths;
  const home = host.identity.env.HOME ?? homedir();
  const asks = everythingAsks ? ["Until this is repaired, harness asks about everything:"] : [];
  const rows = rules.map((rule, index) => `${index + 1}. ${line(rule)}`);
  const none = rules.length === 0 ? ["No rules: reads in the workspace run, harness asks about everything else."] : [];
  const how = rules.some(({ ruleId }) => ruleId !== undefined) ? ["/permissions revoke N removes one."] : [];
  return [
    ...asks,
    ...problems,
    ...none,
    ...rows,
    ...how,
    `This project: ${fromHome(safety.rules.project, home)}`,
    `Rules of all projects: ${fromHome(user, home)}`,
  ].join("\n");
}

function fromHome(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** The location of a rule. Rules of the project, and of all projects, come last. */
function place({ scope, where }: RuleView): string {
  return scope === "project" ? "this project" : scope === "user" ? "all projects" : where;
}

function line(rule: RuleView): string {
  const { decision, text, why, problem, ruleId, scope } = rule;
  const reason = why ? `: ${why}` : "";
  const fixed = ruleId === undefined && scope !== "run" ? ", changed there" : "";
  return `${decision} ${text}  (${place(rule)}${fixed})${reason}${problem ? `  NOT IN FORCE: ${problem}` : ""}`;
}

function revoked({ session, workspace }: ServerCommandContext, which: string): string {
  const { rules } = workspace.safety.rules.list(session);
  const rule = /^\d{1,4}$/.test(which) ? rules[Number(which) - 1] : rules.find(({ ruleId }) => ruleId === which);
  if (!rule) return `There is no rule ${which}. /permissions lists them with their numbers.`;
  if (rule.ruleId === undefined) return `${rule.decision} ${rule.text} comes from ${rule.where}: remove it there.`;
  const answer = workspace.safety.rules.revoke(rule.ruleId, session);
  if (!answer) return `${rule.decision} ${rule.text} was already removed.`;
  return "problem" in answer ? answer.problem : `Removed: ${line(answer.rule)}. This takes effect with the next call.`;
}

function addRule({ workspace }: ServerCommandContext, decision: "allow" | "ask" | "deny", rule: string): string {
  const answer = workspace.safety.rules.add({ scope: "project", decision, rule });
  return "problem" in answer ? answer.problem : `Added: ${line(answer.rule)}. This takes effect with the next call.`;
}
