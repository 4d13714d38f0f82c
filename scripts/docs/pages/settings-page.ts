import { isSettingKey, type ProjectReach, SettingGroup, settings, variablesOfSetting } from "@harness/protocol";
import { generated, table } from "./markdown-table.ts";

/** How far the files of a project may change a setting. */
const projectWords: Record<ProjectReach, string> = {
  any: "yes",
  trusted: "if trusted",
  lower: "only less",
  stricter: "only stricter",
  stricterUntrusted: "stricter; if trusted, all",
  adds: "adds",
  addsTrusted: "adds, if trusted",
};

function defaultText(value: unknown): string {
  if (value === "") return "(empty)";
  return value === null || (Array.isArray(value) && value.length === 0) ? "(none)" : `\`${String(value)}\``;
}

/** A setting with its variables. */
function settingName(key: string): string {
  const variables = isSettingKey(key) ? variablesOfSetting(key) : [];
  return `\`${key}\`${variables.length === 0 ? "" : ` (${variables.map((name) => `\`${name}\``).join(", ")})`}`;
}

export function settingsPage(): string {
  const rowsOf = (group: SettingGroup) =>
    Object.entries(settings).flatMap(([key, row]) =>
      row.group === group
        ? [
            [
              settingName(key),
              row.doc,
              defaultText(row.default),
              row.takesEffect,
              "project" in row ? projectWords[row.project] : "no",
            ],
          ]
        : [],
    );
  const columns = ["setting", "meaning", "default", "takes effect", "from a project"];
  const groups = SettingGroup.options.map((group) => `## ${group}\n\n${table(columns, rowsOf(group))}`);
  return `# Settings

${generated}Settings are in \`~/.config/harness/settings.json\` (in \`$HARNESS_HOME\` or \`$XDG_CONFIG_HOME/harness\` if set) and on the Settings screen. The strongest source
wins: flag, environment, \`.env\`, project, your settings, default. A setting's variables are in parentheses
behind its name, the strongest first; some are those of other local agents.

**On the Settings screen** (Ctrl+S), type to filter: \`think\` finds everything about thinking, \`limits\` a group. Defaults are dim; a changed value has a \`•\` and says
where it was set: \`settings.json\`, the project, a variable or a flag. Enter and the arrow keys change a choice, Enter types any other value, Delete restores the
default. Secrets in a value are not shown; change such a value in the file. A list is written \`["npm test", "make"]\` in the file and with commas on the screen.

**A project's settings** are in the nearest \`.harness/settings.json\`, looking upward from the working folder, and below it in priority the nearest
\`.tinyharness/config.json\`. Until you [trust](trust.md) the folder, they may restrict what the agent does and little else; some settings they may never loosen. The last
column says which. Lists add up: a project removes nothing from yours. Variables of other local agents are not read, and their settings only
by [\`harness import\`](import.md); at the first start harness names what it finds.

**When changes take effect.** Edits by hand, by another harness, and to a \`.env\` apply at once, in open sessions too: \`now\` even to a permission request that is
open, \`next request\` with the next request to the model, even in the middle of a turn. \`new sessions\` does not change open ones. A stricter \`permission_mode\`
applies everywhere at once; a looser one with the next request, and only in sessions that have no mode of their own. Changing a custom instruction makes a local
model read its whole prompt again. While a settings file cannot be read, the window says so, the last valid values stay in force, and nothing runs without asking.

${groups.join("\n\n")}
`;
}
