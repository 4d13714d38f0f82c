import { type TerminalUse, terminalUse } from "../programs/terminal-programs.ts";
import { keywords, programName } from "../shell/command-text.ts";
import { readShellTokens, type ShellToken } from "../shell/shell-token.ts";

const MAX_DEPTH = 3;
const MAX_CHARACTERS = 10_000;
const assignment = /^[A-Za-z_]\w*=/;
const shells = /^(?:ba|da|z|k)?sh$/;
const installed = /^\/(?:usr\/(?:local\/)?|opt\/[^/]+\/)?s?bin\/[^/]+$/;
/** Programs that start the following program in the same place. */
const wrappers = /^(?:sudo|doas|env|command|exec|nohup|nice|busybox)$/;
/** Their options that take a value. */
const withValue = /^-[ugpCnrtTDRhSU]$/;

/**
 * The first program of a command line that would fill a terminal and wait for keys, and its use; undefined: there is
 * none, or the line is not plain enough to tell. Programs that are given input, a script or another program do not
 * count.
 */
export function needsTerminal(command: string, depth = 0): { program: string; use: TerminalUse } | undefined {
  if (depth > MAX_DEPTH || command.length > MAX_CHARACTERS) return undefined;
  const tokens = readShellTokens(command);
  if ("outside" in tokens) return undefined;
  let part: Exclude<ShellToken, { kind: "join" }>[] = [];
  let isPiped = false;
  for (const token of [...tokens, { kind: "join", join: ";" } as const]) {
    if (token.kind !== "join") {
      part.push(token);
      continue;
    }
    const hasInput = isPiped || part.some(({ kind }) => kind === "input");
    const words = part.flatMap((each) => (each.kind === "word" ? [each.text] : []));
    const found = hasInput ? undefined : ofWords(words, depth);
    if (found) return found;
    part = [];
    isPiped = token.join === "|";
  }
  return undefined;
}

function ofWords(words: readonly string[], depth: number): ReturnType<typeof needsTerminal> {
  let at = words.findIndex((word) => !keywords.has(word) && !assignment.test(word));
  if (at < 0) return undefined;
  while (wrappers.test(programName(words[at] ?? ""))) {
    const wrapper = programName(words[at] ?? "");
    at += 1;
    while (/^-./.test(words[at] ?? "") || assignment.test(words[at] ?? "")) {
      // It only prints where the program is.
      if (wrapper === "command" && /^-[vV]/.test(words[at] ?? "")) return undefined;
      at += withValue.test(words[at] ?? "") && !(wrapper === "env" && words[at] !== "-u") ? 2 : 1;
    }
  }
  const word = words[at] ?? "";
  // A program of the project may have the same name as a well-known one.
  if (word.includes("/") && !installed.test(word)) return undefined;
  const program = programName(word);
  const args = words.slice(at + 1);
  if (shells.test(program)) {
    const script = args.findIndex((each) => /^-[a-zA-Z]*c$/.test(each));
    return script < 0 ? undefined : needsTerminal(args[script + 1] ?? "", depth + 1);
  }
  const use = terminalUse(program, args);
  return use && { program, use };
}
