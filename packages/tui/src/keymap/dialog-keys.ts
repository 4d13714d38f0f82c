import { keyTable } from "./key-table.ts";

/**
 * Keys that move the mark among the answers, and give the marked one. A key that types a character gives none, whatever
 * it is bound to: it marks, and together with a second one it is a message.
 */
const markKeys = [
  { id: "previous", keys: ["up", "ctrl+p"], doc: "The answer above" },
  { id: "next", keys: ["down", "ctrl+n"], doc: "The answer below" },
  { id: "take", keys: ["enter"], doc: "Give the marked answer" },
] as const;

/** Keys that scroll a body; each dialog has its own row for the end, which says why to go there. */
const pageKeys = [
  { id: "pageUp", keys: ["pageup", "shift+up"], doc: "Page up (also the wheel)" },
  { id: "pageDown", keys: ["pagedown", "shift+down"], doc: "Page down" },
  { id: "first", keys: ["home"], doc: "The first row" },
] as const;

export const permissionKeys = keyTable("permission", [
  ...markKeys,
  { id: "explain", keys: ["w", "tab"], doc: "No, and tell it what to do instead (a letter only marks it)" },
  { id: "stop", keys: ["escape"], doc: "No, and stop the turn; from the further answers, back" },
  ...pageKeys,
  { id: "last", keys: ["end"], doc: "The end, which must be shown before anything can be allowed" },
]);

export const reviewKeys = keyTable("review", [
  { id: "previous", keys: ["up", "ctrl+p"], doc: "The change before" },
  { id: "next", keys: ["down", "ctrl+n"], doc: "The next change" },
  { id: "takeHunk", keys: ["y"], doc: "Mark: take the change" },
  { id: "rejectHunk", keys: ["n"], doc: "Mark: reject the change" },
  { id: "explain", keys: ["w", "tab"], doc: "Reject the change, and say why (a letter only marks it)" },
  {
    id: "edit",
    keys: ["e", "ctrl+g"],
    doc: "Edit the new lines in your editor, and take them (a letter only marks it)",
  },
  { id: "takeRest", keys: ["a"], doc: "Mark: take all changes that are open, and write" },
  { id: "rejectRest", keys: ["x"], doc: "Mark: reject all changes that are open, and write what was taken" },
  { id: "apply", keys: ["enter"], doc: "Do what is marked, else take the change; once all are decided, write" },
  { id: "stop", keys: ["escape"], doc: "Leave the changes for later, and stop the turn" },
  ...pageKeys,
  { id: "last", keys: ["end"], doc: "The end of the change, which must be shown before it can be taken" },
]);

export const questionKeys = keyTable("question", [
  ...markKeys,
  { id: "check", keys: ["space"], doc: "Select the marked answer, if several can be chosen" },
  { id: "back", keys: ["left", "shift+tab"], doc: "Back to the question before, if several are asked" },
  { id: "decline", keys: ["escape"], doc: "Skip the question" },
  { id: "pageUp", keys: ["pageup", "shift+up"], doc: "Page up (also the wheel)" },
  { id: "pageDown", keys: ["pagedown", "shift+down"], doc: "Page down" },
]);

export const trustKeys = keyTable("trust", [
  ...markKeys,
  { id: "no", keys: ["escape"], doc: "Do not trust it; none of its programs run" },
  ...pageKeys,
  { id: "whole", keys: ["tab"], doc: "Whole files, or a line of each" },
  { id: "last", keys: ["end"], doc: "The end, which must be shown before the folder can be trusted" },
]);
