import { misused, type ServerCommand } from "../server-command.ts";
import { keepSettings } from "./keep-settings.ts";

const words: Readonly<Record<string, boolean>> = { on: true, off: false };

export const autoacceptCommand: ServerCommand = {
  description: "Run read-only commands, and those on your list, without asking.",
  argumentHint: "[on|off]",
  needsSession: false,
  run({ host, workspace }, args) {
    const wanted = args.toLowerCase();
    const now = () => (workspace.settings.gate.autoAcceptSafeCommands ? "without asking" : "only after asking");
    if (wanted === "") return `Safe commands run ${now()}. /autoaccept on or /autoaccept off changes that.`;
    const value = Object.hasOwn(words, wanted) ? words[wanted] : undefined;
    if (value === undefined) throw misused("Type /autoaccept on or /autoaccept off.");
    const problem = keepSettings(host, [{ key: "auto_accept_safe_commands", value }]);
    if (problem !== undefined) return problem;
    const isOverruled = workspace.settings.gate.autoAcceptSafeCommands !== value;
    return isOverruled
      ? `Saved. In this folder they still run ${now()}: see /settings for what overrides it.`
      : `Safe commands run ${now()} from now on.`;
  },
};
