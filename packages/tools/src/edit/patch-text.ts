/** A hunk of a patch for one file. */
export type Hunk = {
  /** Enclosing lines that come before it in the file, outermost first: `class A`, `def f`. */
  headers: string[];
  lines: { sign: " " | "+" | "-"; text: string }[];
  /** True if it is at the end of the file. */
  isAtEnd: boolean;
};

type PatchStep =
  | { kind: "hunks"; path: string; hunks: Hunk[]; movedTo?: string }
  | { kind: "create"; path: string; content: string }
  | { kind: "delete"; path: string };

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const FILE = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END_OF_FILE = "*** End of File";
/** Line numbers, as in other programs' patches, are ignored. */
const NUMBERS = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? ?(?:@@ ?)?/;

/** Parses a patch in Codex's format. Text around it, such as a here-document, is ignored. */
export function parsePatch(text: string): PatchStep[] | { problem: string } {
  const all = text.split(/\r?\n/);
  const begin = all.findIndex((line) => line.trim() === BEGIN);
  if (begin === -1) return { problem: `The patch has no line \`${BEGIN}\`.` };
  const end = all.findIndex((line, at) => at > begin && line.trim() === END);
  if (end === -1) return { problem: `The patch has no line \`${END}\`: it may have been cut. Send it whole.` };
  const lines = all.slice(begin + 1, end);
  const steps: PatchStep[] = [];
  for (let at = 0; at < lines.length; ) {
    const head = FILE.exec((lines[at] ?? "").trim());
    if (!head && (lines[at] ?? "").trim() === "") {
      at++;
      continue;
    }
    if (!head)
      return { problem: unreadable(lines[at] ?? "", "`*** Add File: `, `*** Update File: ` or `*** Delete File: `") };
    const next = lines.findIndex((line, i) => i > at && FILE.test(line.trim()));
    const body = lines.slice(at + 1, next === -1 ? lines.length : next);
    const step = stepOf(head[1] ?? "", (head[2] ?? "").trim(), body);
    if ("problem" in step) return step;
    steps.push(step);
    at += 1 + body.length;
  }
  return steps.length > 0 ? steps : { problem: "The patch names no file." };
}

function stepOf(action: string, path: string, body: readonly string[]): PatchStep | { problem: string } {
  if (action === "Update") return updateOf(path, body);
  const lines = withoutEmptyEnd(body);
  if (action === "Delete") {
    return lines.length === 0 ? { kind: "delete", path } : { problem: unreadable(lines[0] ?? "", "the next file") };
  }
  const odd = lines.find((line) => !line.startsWith("+"));
  if (odd !== undefined) return { problem: unreadable(odd, "`+` before every line of a new file") };
  return { kind: "create", path, content: lines.map((line) => `${line.slice(1)}\n`).join("") };
}

function updateOf(path: string, body: readonly string[]): PatchStep | { problem: string } {
  const movedTo = MOVE.exec(body[0] ?? "")?.[1]?.trim();
  const hunks: Hunk[] = [];
  let hunk: Hunk = { headers: [], lines: [], isAtEnd: false };
  const close = () => {
    if (hunk.lines.length > 0) hunks.push(hunk);
    hunk = { headers: [], lines: [], isAtEnd: false };
  };
  for (const line of withoutEmptyEnd(movedTo === undefined ? body : body.slice(1))) {
    const header = /^@@(?: (.*))?$/.exec(line);
    const sign = line[0];
    if (header) {
      if (hunk.lines.length > 0) close();
      const text = (header[1] ?? "").replace(NUMBERS, "").replace(/ ?@@$/, "");
      if (text.trim() !== "") hunk.headers.push(text);
    } else if (line === END_OF_FILE) {
      hunk.isAtEnd = true;
      close();
    } else if (sign === " " || sign === "+" || sign === "-") hunk.lines.push({ sign, text: line.slice(1) });
    else if (line === "") hunk.lines.push({ sign: " ", text: "" });
    else return { problem: unreadable(line, "a blank, `+`, `-` or `@@` at its start") };
  }
  close();
  if (hunks.length === 0 && movedTo === undefined) return { problem: `The patch changes nothing in ${path}.` };
  return { kind: "hunks", path, hunks, ...(movedTo === undefined ? {} : { movedTo }) };
}

/** Empty lines before the next part only separate the parts. */
function withoutEmptyEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}

function unreadable(line: string, expected: string): string {
  return `The patch is not readable at \`${line.slice(0, 100).toWellFormed()}\`: expected ${expected}.`;
}
