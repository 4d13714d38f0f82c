import type { ClientNotifications, ServerMethods } from "@harness/protocol";
import { table } from "./markdown-table.ts";

type Method = keyof ServerMethods | keyof ClientNotifications;

/** The methods of the earlier server that this protocol replaces, and their replacements. */
const earlier: readonly (readonly [earlier: string, now: readonly Method[], how: string])[] = [
  ["settings.get", ["settings/get"], "every setting, with its source"],
  ["settings.update", ["settings/set"], "`null` in place of an empty text puts one back"],
  [
    "conversation.create",
    ["session/new"],
    "takes the folder; nothing is active by itself, each request names its session",
  ],
  ["conversation.list", ["session/list"], "in pages"],
  ["conversation.switch", ["session/resume"], "sends the facts asked for, then all that is new"],
  ["conversation.get", ["session/history"], "facts instead of messages"],
  ["conversation.send", ["session/prompt"], "answers at once; the reply comes as updates"],
  ["conversation.setModel", ["session/set_config_option"], "`config.model`"],
  ["hud.currentGitBranch.get", ["hud/get", "hud/update"], "`git.branch`"],
  ["hud.diffCounts.get", ["hud/get", "hud/update"], "`git.added`, `git.removed`"],
  ["hud.contextTokens.get", ["hud/get", "hud/update"], "`context.usedTokens`"],
  ["hud.currentModel.get", ["hud/get", "hud/update"], "`model`, `provider`"],
  ["agent.event", ["session/update"], "facts with numbers, and deltas; an agent's id in each"],
];

export function earlierMethods(): string {
  return table(
    ["earlier", "now", "what differs"],
    earlier.map(([name, now, how]) => [`\`${name}\``, now.map((each) => `\`${each}\``).join(", "), how]),
  );
}
