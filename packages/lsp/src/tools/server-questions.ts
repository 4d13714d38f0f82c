import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { realPathOrSame } from "@harness/host";
import { fileText } from "../pool/file-text.ts";
import type { LanguageServers } from "../pool/language-servers.ts";
import { type CodeMark, findName } from "./code-locations.ts";

/** A name in a file; `line` from 1. */
export type NamedCode = { readonly path: string; readonly line: number; readonly name: string };

const ANSWER_MS = 20_000;

/** Asks the server of a file's language about a name in it. `problem`: a sentence. Never rejects. */
export async function askAbout(
  servers: LanguageServers,
  { path, line, name }: NamedCode,
  { cwd, signal, method, more = {} }: { cwd: string; signal: AbortSignal; method: string; more?: object },
): Promise<{ answer: unknown } | { problem: string }> {
  const real = realPathOrSame(absolute(path, cwd));
  const text = fileText(real);
  if (text === undefined) return { problem: `${path} cannot be read.` };
  const position: CodeMark | { problem: string } = findName(text, name, line);
  if ("problem" in position) return position;
  const server = (await servers.of(real, cwd)).find(({ command }) => !command.row.isLinter);
  if (!server) return { problem: `There is no language server for ${path}: search for the name instead.` };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const params = { textDocument: { uri: pathToFileURL(real).href }, position, ...more };
  const answer = await server.ask({ path: real, text }, { method, params }, limit);
  return "why" in answer ? { problem: `${server.name} ${answer.why}.` } : answer;
}

export function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
