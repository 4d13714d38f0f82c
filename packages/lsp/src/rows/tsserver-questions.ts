import { isRecord } from "@harness/host";
import type { FindingsQuestion, ServerRow } from "./server-row.ts";

/** Severities of the protocol. */
const severities: Readonly<Record<string, number>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

/**
 * Questions for typescript-language-server: it pushes findings late and without a version, but passes requests on to
 * TypeScript, which answers about the text that it has.
 */
export const tsserverQuestions: NonNullable<ServerRow["asks"]> = {
  questions: (file) =>
    ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"].map((name) => tsserverRequest(name, file)),
  read(answer) {
    const body = isRecord(answer) ? answer.body : undefined;
    return Array.isArray(body) ? body.flatMap((each) => diagnosticOf(each) ?? []) : [];
  },
};

function tsserverRequest(name: string, file: string): FindingsQuestion {
  const call = { command: "typescript.tsserverRequest", arguments: [name, { file }] };
  return { method: "workspace/executeCommand", params: call };
}

/** Positions start at 1 there. */
function diagnosticOf(found: unknown): object | undefined {
  if (!isRecord(found) || !isRecord(found.start)) return undefined;
  const { line, offset } = found.start;
  if (typeof line !== "number" || typeof offset !== "number") return undefined;
  const start = { line: line - 1, character: offset - 1 };
  const severity = severities[String(found.category)] ?? 1;
  return { range: { start, end: start }, severity, message: found.text, code: found.code, source: "ts" };
}
