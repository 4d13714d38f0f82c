import { expect, it } from "vitest";
import { type InputEvent, InputParser } from "../input/index.ts";
import { pasteNotes } from "./paste-notes.ts";

function notesOn(pasted: string): string[][] {
  const events: InputEvent[] = [];
  const timer = { set: () => 0, clear: () => undefined };
  new InputParser({ onEvent: (event) => events.push(event), timer }).push(
    Buffer.from(`\u001b[200~${pasted}\u001b[201~`),
  );
  return events.map((event) => (event.type === "paste" ? [event.text, ...pasteNotes(event)] : []));
}

const left = (what: string): string =>
  `${what} left out: they draw nothing, or turn text around. A file that has them can be named with @.`;

it.each<[string, string, string[]]>([
  ["zero-width spaces", "a\u200bb\u200b", [left("2 hidden characters of the paste (U+200B)")]],
  [
    "direction marks",
    "x = \u202eevil\u202c; \u2066y",
    [left("3 hidden characters of the paste (U+202E, U+202C, U+2066)")],
  ],
  ["a mark at the beginning of a file", "\ufeffone\ntwo", [left("1 hidden character of the paste (U+FEFF)")]],
  ["what is part of the writing", "👩‍👩‍👧 e\u0301 می\u200cخواهم", []],
  ["plain text", "one\ntwo", []],
])("says of a paste what it has lost: %s", (_, pasted, notes) => {
  const [[, ...said] = []] = notesOn(pasted);
  expect(said).toEqual(notes);
});
