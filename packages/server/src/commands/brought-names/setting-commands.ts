import type { SettingKey } from "@harness/protocol";
import { parseSetting } from "@harness/workspace";
import { keepSettings } from "../safety/keep-settings.ts";
import { misused, type ServerCommand } from "../server-command.ts";

/**
 * `words`: values that people type elsewhere, mapped to ours. `toggles`: without a value it switches between these two.
 */
type SettingWord = {
  key: SettingKey;
  words?: Readonly<Record<string, unknown>>;
  toggles?: readonly [on: unknown, off: unknown];
};

/** Commands of other programs that are settings here. */
const rows: Readonly<Record<string, SettingWord>> = {
  think: { key: "effort", words: { off: "none", on: "" } },
  effort: { key: "effort", words: { off: "none", on: "" } },
  showthink: { key: "show_thinking", toggles: [true, false] },
  vim: { key: "editor_mode", words: { on: "vim", off: "normal" }, toggles: ["vim", "normal"] },
  contextlimit: { key: "context_limit", words: { reset: null, auto: null, off: null } },
  timeout: { key: "request_timeout_secs", words: { reset: null, default: null } },
  retries: { key: "max_retries", words: { reset: null, default: null } },
};

export const settingCommands: Readonly<Record<string, ServerCommand>> = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [name, settingCommand(name, row)]),
);

function settingCommand(name: string, { key, words = {}, toggles }: SettingWord): ServerCommand {
  return {
    description: `The setting ${key}.`,
    argumentHint: "[VALUE]",
    needsSession: false,
    run({ host, workspace }, args) {
      const typed = args.trim().toLowerCase();
      const found = () => workspace.settings.load().views.find((view) => view.key === key);
      const now = found()?.value;
      if (typed === "" && !toggles)
        return `${key} is ${valueText(now)}. /${name} VALUE changes it; so does /settings ${key}.`;
      const switched = toggles && (now === toggles[0] ? toggles[1] : toggles[0]);
      const value = typed === "" ? switched : Object.hasOwn(words, typed) ? words[typed] : undefined;
      const checked = value === undefined ? parseSetting(key, typed) : { value };
      if ("expected" in checked) throw misused(`/${name}: ${key} must be ${checked.expected}.`);
      const problem = keepSettings(host, [{ key, value: checked.value }]);
      if (problem !== undefined) return problem;
      const held = found();
      return valueText(held?.value) === valueText(checked.value) || checked.value === null
        ? `${key} is now ${valueText(held?.value)}.`
        : `Saved. Here ${key} is still ${valueText(held?.value)}: see /settings ${key} for what overrides it.`;
    },
  };
}

function valueText(value: unknown): string {
  return value === null || value === "" ? "not set" : String(value);
}
