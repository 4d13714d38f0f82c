import { resolve } from "node:path";
import { isWithin } from "@harness/gate";
import { plainLine, realPathOrSame } from "@harness/host";
import type { Finding } from "../findings/finding.ts";
import { fileText } from "../pool/file-text.ts";
import { type PrintedFinding, type PrintedForm, printedFinding, printedForms } from "./printed-forms.ts";

const MAX_LINES = 20_000;
const MAX_LINE = 800;
const MAX_FINDINGS = 2_000;
/** Files whose lines are looked up. */
const MAX_TEXTS = 100;
const MAX_WORDS = 600;
const MAX_LINE_TEXT = 400;

type Above = {
  readonly of: PrintedForm;
  readonly groups: Readonly<Record<string, string | undefined>>;
  atLine: number;
};

/** The findings in the output of a program that ran in `cwd`, each once. Nothing in it is trusted. */
export function printedFindings(output: string, cwd: string): Finding[] {
  const found = new Map<string, Finding>();
  const texts = new FileLines(cwd);
  for (const printed of readLines(output.split("\n", MAX_LINES))) {
    if (found.size >= MAX_FINDINGS) break;
    const path = resolve(cwd, printed.file);
    const lineText = texts.line(path, printed.line).slice(0, MAX_LINE_TEXT).trim();
    const message = plainLine(printed.message, MAX_WORDS);
    found.set(JSON.stringify([path, printed.line, message]), { ...printed, path, message, lineText });
  }
  return [...found.values()];
}

function* readLines(lines: readonly string[]): Generator<PrintedFinding> {
  let above: Above[] = [];
  for (const [at, raw] of lines.entries()) {
    const line = raw.slice(0, MAX_LINE).replace(/\r$/, "");
    above = above.filter(({ of, atLine }) => of.isHeading === true || atLine === at - 1);
    const read = findingIn(line, above);
    if (read) yield read;
    if (!read) above = [...above, ...headsIn(line, at)].slice(-printedForms.length);
  }
}

function findingIn(line: string, above: readonly Above[]): PrintedFinding | undefined {
  for (const format of printedForms) {
    const groups = format.line.exec(line)?.groups;
    if (!groups) continue;
    const head = format.above ? above.findLast(({ of }) => of === format) : undefined;
    const read = format.above && !head ? undefined : printedFinding({ ...head?.groups, ...groups });
    if (read) return read;
  }
  return undefined;
}

/** The beginnings of findings in this line. */
function headsIn(line: string, atLine: number): Above[] {
  return printedForms.flatMap((of) => {
    const groups = of.above?.exec(line)?.groups;
    return groups ? [{ of, groups, atLine }] : [];
  });
}

/** Lines of files in a folder, read once. Other files are left alone: code in the sandbox may have printed their names. */
class FileLines {
  readonly #cwd: string;
  readonly #texts = new Map<string, readonly string[]>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  line(path: string, number: number): string {
    let lines = this.#texts.get(path);
    if (!lines) {
      if (this.#texts.size >= MAX_TEXTS) return "";
      lines = this.#isInside(path) ? (fileText(path)?.split(/\r\n|\n|\r/) ?? []) : [];
      this.#texts.set(path, lines);
    }
    return lines[number - 1] ?? "";
  }

  #isInside(path: string): boolean {
    return isWithin(path, this.#cwd) && isWithin(realPathOrSame(path), realPathOrSame(this.#cwd));
  }
}
