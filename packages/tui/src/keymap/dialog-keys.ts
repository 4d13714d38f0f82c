import { keyTable } from "./key-table.ts";

/** Keys that move the mark among the answers, and take the marked one. */
const markKeys = [
  { id: "previous", keys: ["up", "ctrl+p"], doc: "The answer above" },
  { id: "next", keys: ["down", "ctrl+n"], doc: "The answer below" },
  { id: "take", keys: ["enter"], doc: "Choose the marked answer" },
] as const;

/** Keys that scroll a body; the end has a row in each dialog, which says what it is good for. */
const pageKeys = [
  { id: "pageUp", keys: ["pageup", "shift+up"], doc: "Page up (also the wheel)" },
  { id: "pageDown", keys: ["pagedown", "shift+down"], doc: "Page down" },
  { id: "first", keys: ["home"], doc: "The first row" },
] as const;

export const permissionKeys = keyTable("permission", [
  ...markKeys,
  { id: "explain", keys: ["w", "tab"], doc: "Deny, and say why" },
  { id: "stop", keys: ["escape"], doc: "Deny, and stop the turn" },
  ...pageKeys,
  { id: "last", keys: ["end"], doc: "The end, which must be shown before anything can be allowed" },
]);

export const reviewKeys = keyTable("review", [
  { id: "previous", keys: ["up", "ctrl+p"], doc: "The change before" },
  { id: "next", keys: ["down", "ctrl+n"], doc: "The next change" },
  { id: "takeHunk", keys: ["y"], doc: "Take the change" },
  { id: "rejectHunk", keys: ["n"], doc: "Reject the change" },
  { id: "explain", keys: ["w", "tab"], doc: "Reject the change, and say why" },
  { id: "edit", keys: ["e", "ctrl+g"], doc: "Edit the new lines in your editor, and take them" },
  { id: "takeRest", keys: ["a"], doc: "Take all changes that are open, and write" },
  { id: "rejectRest", keys: ["x"], doc: "Reject all changes that are open, and write what was taken" },
  { id: "apply", keys: ["enter"], doc: "Take the change; once all are decided, write" },
  { id: "stop", keys: ["escape"], doc: "Leave the changes for later, and stop the turn" },
  ...pageKeys,
  { id: "last", keys: ["end"], doc: "The end of the change" },
]);

export const questionKeys = keyTable("question", [
  ...markKeys,
  { id: "check", keys: ["space"], doc: "Select the marked answer, if several can be chosen" },
  { id: "decline", keys: ["escape"], doc: "Skip the question" },
  { id: "pageUp", keys: ["pageup", "shift+up"], doc: "Page up (also the wheel)" },
  { id: "pageDown", keys: ["pagedown", "shift+down"], doc: "Page down" },
]);

export const trustKeys = keyTable("trust", [
  ...markKeys,
  { id: "no", keys: ["escape"], doc: "Do not trust it; none of its programs run" },
  ...pageKeys,
  { id: "last", keys: ["end"], doc: "The end, which must be shown before the folder can be trusted" },
]);
