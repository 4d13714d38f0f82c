import { type Finding, findingLine } from "../findings/finding.ts";
import type { LanguageServer } from "./language-server.ts";
import type { LanguageServers } from "./language-servers.ts";

const MAX_FINDINGS = 100;

/** The mistakes and the servers, for people. */
export function serverLines(servers: LanguageServers, folder: string): string[] {
  const { findings, all, missing } = servers;
  const errorsFirst = findings.toSorted((a, b) => rank(a) - rank(b));
  const rest = findings.length - MAX_FINDINGS;
  return [
    ...errorsFirst.slice(0, MAX_FINDINGS).map((finding) => findingLine(finding, folder)),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    ...all.map(serverLine),
    ...[...missing].map(([name, why]) => `${name} ${why}`),
  ];
}

function rank({ severity }: Finding): number {
  return severity === "error" ? 0 : severity === "warning" ? 1 : 2;
}

/** `typescript (ready): 2 files open, 239 MB, /work/shop` */
function serverLine({ name, state, command, documents, memoryBytes, problem, refused }: LanguageServer): string {
  const open = documents.all.length;
  const files = open === 1 ? "1 file open" : `${open} files open`;
  const memory = memoryBytes === undefined ? [] : [`${Math.round(memoryBytes / 1e6)} MB`];
  const words = [files, ...memory, command.cwd, ...(problem === undefined ? [] : [`it ${problem}`])];
  return `${name} (${state.replace("-", " ")}): ${[...words, ...new Set(refused.map((each) => `it ${each}`))].join(", ")}`;
}
