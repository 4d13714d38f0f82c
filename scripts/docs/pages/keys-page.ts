import { keyDocs } from "@harness/tui/docs";
import { generated, table } from "./markdown-table.ts";

/** The most important keys: the first key of a row, and its place. */
const essential: readonly (readonly [key: string, where: string])[] = [
  ["Enter", "input"],
  ["Shift+Enter", "input"],
  ["Esc", "anywhere"],
  ["Ctrl+C", "anywhere"],
  ["Shift+Tab", "chat"],
  ["Tab", "chat"],
  ["Tab", "input"],
  ["Ctrl+O", "anywhere"],
  ["Ctrl+R", "input"],
  ["Ctrl+G", "input"],
  ["Ctrl+V", "input"],
  ["Ctrl+F", "chat"],
  ["Ctrl+T", "chat"],
  ["Ctrl+X M", "chat"],
  ["Ctrl+X N", "chat"],
  ["Ctrl+X A", "chat"],
  ["Ctrl+X H", "anywhere"],
  ["Ctrl+S", "anywhere"],
  ["Ctrl+X L", "anywhere"],
  ["?", "input"],
];

const rows = keyDocs();

function rowOf(key: string, where: string): string[] {
  const row = rows.find(([keys = "", place]) => keys.split(", ")[0] === key && place === where);
  if (!row) throw new Error(`There is no key ${key} in ${where}: see scripts/docs/pages/keys-page.ts.`);
  const [keys = "", , doc = ""] = row;
  return [keys, doc];
}

function byPlace(): string {
  const places = [...new Set(rows.map(([, where = ""]) => where))];
  const tableOf = (place: string) =>
    table(
      ["keys", "what they do"],
      rows.flatMap(([keys = "", where, doc = ""]) => (where === place ? [[keys, doc]] : [])),
    );
  return places
    .map((place) => `### ${place.charAt(0).toUpperCase()}${place.slice(1)}\n\n${tableOf(place)}`)
    .join("\n\n");
}

/** The page of the window's keys: the important ones first, then all of them by place. */
export function keysPage(): string {
  return `# Keys

${generated}\`?\` in the empty input, or \`/keys\`, lists all keys in the window.

## The first twenty

${table(
  ["keys", "what they do"],
  essential.map(([key, where]) => rowOf(key, where)),
)}

## Changing keys

In \`/keys\`, mark an action, press Enter, then the new key. Your keys are saved in \`~/.config/harness/keys.json\`, under the names that a wide window shows
beside each key:

\`\`\`json
{
  "chat.agents": "ctrl+x a",
  "input.submit": ["enter", "ctrl+s"],
  "anywhere.settings": "f2",
  "anywhere.suspend": []
}
\`\`\`

An empty list removes an action's keys. Keys are \`enter\`, \`tab\`, \`escape\`, \`space\`, \`backspace\`, \`delete\`, \`insert\`, \`up\`, \`pageup\`, \`home\`, \`f1\` … \`f24\`
and characters, with \`ctrl+\`, \`alt+\`, \`shift+\` or \`meta+\` in front. Above the list, \`/keys\` names keys that two actions share, and entries that it cannot
use. You can edit the file by hand: changes apply at once, and while it has an error the last valid version stays in force.

Two keys with a space between them are pressed one after the other: Ctrl+X, then the letter (with or without Ctrl). After Ctrl+X the last row lists
what can follow; Esc cancels. In \`/keys\`, a key with Ctrl, Alt or Super waits for the second key of a chord; Enter takes it alone.

Hints, tips, notices and \`/help\` name the keys that you have now. Some keys are fixed ([typing](input.md#keys-that-stay-as-they-are)).

## All keys

${byPlace()}
`;
}
