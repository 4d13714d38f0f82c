import { relative } from "node:path";
import { isWithin } from "@harness/gate";
import { isRecord, plainLine } from "@harness/host";

type Severity = "error" | "warning" | "information" | "hint";

/** Something that a server has found in a file. */
export type Finding = {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly message: string;
  /** Such as `ts 2322`; empty if the server gives none. */
  readonly code: string;
  /** The line that it is about, without blanks around. */
  readonly lineText: string;
};

const MAX_FINDINGS = 2_000;
const MAX_MESSAGE = 600;
const MAX_CODE = 60;
const MAX_LINE_TEXT = 400;
const severities: readonly Severity[] = ["error", "warning", "information", "hint"];

/** The findings in a server's list. Nothing in it is trusted: what has another form is left out. */
export function readFindings(items: unknown, { path, text }: { path: string; text: string }): Finding[] {
  if (!Array.isArray(items)) return [];
  const lines = text.split(/\r\n|\n|\r/);
  return items.slice(0, MAX_FINDINGS).flatMap((item) => {
    if (!isRecord(item) || !isRecord(item.range) || !isRecord(item.range.start)) return [];
    const { line, character } = item.range.start;
    if (!isPosition(line) || !isPosition(character) || line > lines.length) return [];
    return [
      {
        path,
        line: line + 1,
        column: character + 1,
        severity: severities[typeof item.severity === "number" ? item.severity - 1 : 0] ?? "error",
        message: plainLine(messageOf(item.message), MAX_MESSAGE),
        code: plainLine([item.source, codeOf(item.code)].filter(isWord).join(" "), MAX_CODE),
        lineText: (lines[line] ?? "").slice(0, MAX_LINE_TEXT).trim(),
      },
    ];
  });
}

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isWord(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

function codeOf(code: unknown): unknown {
  return isRecord(code) ? code.value : code;
}

/** Newer servers may send Markdown in an object. */
function messageOf(message: unknown): string {
  if (typeof message === "string") return message;
  return isRecord(message) && typeof message.value === "string" ? message.value : "(no message)";
}

/** Each once: two servers may find the same. */
export function uniqueFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [JSON.stringify([each.path, each.line, each.message]), each])).values()];
}

/** `src/a.ts:2:7: error ts 2322: …` */
export function findingLine({ path, line, column, severity, code, message }: Finding, cwd: string): string {
  const about = code === "" ? severity : `${severity} ${code}`;
  return `${pathFrom(path, cwd)}:${line}:${column}: ${about}: ${message}`;
}

export function pathFrom(path: string, cwd: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) : path;
}
