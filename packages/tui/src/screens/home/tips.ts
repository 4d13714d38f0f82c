import type { KeyLabels, KeySentence } from "../../keymap/key-labels.ts";

const INIT = "/init has the model write AGENTS.md, its instructions for this project.";

/** Use what earlier messages have left behind. */
const laterTips: readonly (string | KeySentence)[] = [
  "/compact makes room in the context window.",
  "harness -c continues the newest session of a folder.",
  "/undo reverts the file changes of the last turn.",
  "/rewind goes back to before one of your messages.",
  "/copy copies the last answer, /copy code only its code.",
  (keys) => keys.hint("input.historySearch", "searches the messages you have sent."),
];

/** Things worth knowing, one line each. */
const tips: readonly (string | KeySentence)[] = [
  "@ adds a file, a folder or an image to the message.",
  "! runs a shell command; the agent sees its output.",
  (keys) => keys.hint("chat.permissionMode", "changes what runs without asking."),
  "/plan reads and plans before anything is changed.",
  "/context shows what fills the context window.",
  "/theme changes the colours; there are light and dark ones.",
  INIT,
  "/model changes the model, even in the middle of a session.",
  "/doctor tests what the model can do.",
  (keys) => keys.hint("anywhere.fold", "opens and folds thinking and long output."),
  "harness run runs one task in a script.",
  "/permissions lists the rules, and revokes them.",
  ...laterTips,
];

const SHOWN = 3;
const CHANGE_MS = 300_000;

/** `hasSessions`: the person has worked here before. */
type TipsFor = { hasInstructions: boolean; hasSessions: boolean };

/** Three tips, changing every five minutes. A tip about an action without a key, or for what is done or cannot be yet, is left out. */
export function tipsAt(nowMs: number, keys: KeyLabels, { hasInstructions, hasSessions }: TipsFor): string[] {
  const fits = (tip: (typeof tips)[number]) =>
    (tip !== INIT || !hasInstructions) && (hasSessions || !laterTips.includes(tip));
  const fitting = tips.filter(fits);
  const known = fitting.map((tip) => (typeof tip === "string" ? tip : tip(keys))).filter((tip) => tip !== "");
  const first = (Math.floor(nowMs / CHANGE_MS) * SHOWN) % known.length;
  return Array.from({ length: SHOWN }, (_, at) => known[(first + at) % known.length] ?? "");
}
