import type { PermissionNote } from "@harness/protocol";
import { shortList } from "@harness/protocol";
import { isWithin, relativeTo } from "../places/path-place.ts";
import { UNKNOWN_SCRIPT } from "./collect-commands.ts";
import { nameLength } from "./command-name.ts";
import { UNCHECKED_INPUT } from "./danger.ts";
import { type CommandLocation, type FoundCommands, normalizedWords, UNKNOWN_HOME } from "./found-command.ts";

const MAX_LISTED = 8;
const MAX_CHARACTERS = 60;

/**
 * The findings in words for the permission request, next to its reason. A single plain command needs no explanation.
 */
export function notesFor(
  found: FoundCommands,
  location: CommandLocation,
  reach: {
    reads: readonly string[];
    writes: readonly string[];
    removes: readonly string[];
    openWrites: readonly string[];
    hosts: readonly string[];
  },
  reason: string | undefined,
): PermissionNote[] {
  const notes: PermissionNote[] = [];
  const add = (kind: PermissionNote["kind"], each: readonly string[]) => {
    if (each.length > 0) notes.push({ kind, text: noteList(each) });
  };
  const programs = found.commands.filter(({ words }) => words.length > 0);
  if (found.byGrammar && (programs.length > 1 || programs.some(({ nested }) => nested))) {
    add(
      "runs",
      programs.map((each) => nameOf(normalizedWords(each)) + (each.nested || each.behind ? " (inside)" : "")),
    );
  }
  const shown = (path: string) =>
    relativeTo(location.cwd, path) || (path.startsWith(`${UNKNOWN_HOME}/`) ? path.slice(1) : path);
  add("reads", reach.reads.map(shown));
  const { removes, openWrites } = reach;
  const writes = reach.writes.filter((path) => !removes.includes(path));
  add("deletes", removes.map(shown));
  const more = openWrites.filter((folder) => folder !== "/" && !reach.writes.some((path) => isWithin(path, folder)));
  add("writes", [
    ...writes.map(shown),
    ...more.map((folder) => `files in ${relativeTo(location.cwd, folder) === "" ? "." : shown(folder)}`),
  ]);
  add("reaches", reach.hosts);
  if (openWrites.includes("/"))
    notes.push({ kind: "warning", text: "writes to a file that is known only when it runs" });
  const isSaid = found.problem === UNKNOWN_SCRIPT && reason === UNCHECKED_INPUT;
  if (found.problem !== undefined && !isSaid)
    notes.push({ kind: "warning", text: `may do more than is listed here: it ${found.problem}` });
  return notes;
}

function nameOf(view: readonly string[]): string {
  const words = view.slice(0, nameLength(view));
  const flag = words.findIndex((word, index) => index > 0 && word.startsWith("-"));
  return (flag < 0 ? words : words.slice(0, flag)).join(" ");
}

function noteList(texts: readonly string[]): string {
  const cut = texts.map((text) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text));
  return shortList([...new Set(cut)], MAX_LISTED);
}
