import { isAbsolute, relative } from "node:path";
import { isSecretVariable } from "@harness/host";
import type { CommandEnd } from "../process/run-command.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** For one session: each note is given once. */
export type NotesGiven = Set<string>;

type EndedCommand = {
  text: string;
  end: Pick<CommandEnd, "exitCode">;
  /** The environment of the command, and our own. */
  env: Environment;
  ours: Environment;
  cwd: string;
  notesGiven: NotesGiven;
};

/** The shell's exit code if it does not find a program. */
const NOT_FOUND = 127;
const MAX_NAMES = 5;
const VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g;
const NO_AGENT = /Permission denied \([^)]*publickey|authentication agent|agent refused|no such identity/i;

/**
 * Why a command may have failed that works in the user's own shell: its environment is only a part of theirs. Mentions
 * only what the output shows signs of.
 */
export function leftOutNote({ text, end, env, ours, cwd, notesGiven }: EndedCommand): string | undefined {
  if (end.exitCode === 0) return undefined;
  const once = (key: string) => !notesGiven.has(key) && notesGiven.add(key) !== undefined;
  const isLeftOut = (name: string) => ours[name] !== undefined && env[name] === undefined;
  const mentioned = new Set(text.match(VARIABLE) ?? []);
  if (NO_AGENT.test(text)) mentioned.add("SSH_AUTH_SOCK");
  const names = [...mentioned].filter((name) => isLeftOut(name) && once(name)).slice(0, MAX_NAMES);
  const secrets = names.filter((name) => name !== "SSH_AUTH_SOCK" && isSecretVariable(name, ours[name]));
  const plain = names.filter((name) => !secrets.includes(name));
  const notes = [
    ...(plain.length > 0 ? [plainText(plain)] : []),
    ...(secrets.length > 0 ? [secretText(secrets)] : []),
    ...(end.exitCode === NOT_FOUND && once("PATH") ? folderNotes(env, ours, cwd) : []),
  ];
  return notes.length > 0 ? notes.join("\n") : undefined;
}

function plainText(names: readonly string[]): string {
  const which = names.length === 1 ? "is set outside, but is" : "are set outside, but are";
  return `[${names.join(", ")} ${which} not passed on to commands; the person can do so with the setting pass_env]`;
}

function secretText(names: readonly string[]): string {
  const which = names.length === 1 ? "looks like a secret" : "look like secrets";
  return `[${names.join(", ")} ${which}, so commands do not get it; ask the person to run this, or to log the program in]`;
}

function folderNotes({ PATH: passed = "" }: Environment, { PATH: path = "" }: Environment, cwd: string): string[] {
  const kept = new Set(passed.split(":"));
  const left = [...new Set(path.split(":"))].filter((folder) => isAbsolute(folder) && !kept.has(folder));
  if (left.length === 0) return [];
  const shown = left.slice(0, MAX_NAMES).map((folder) => {
    const below = relative(cwd, folder);
    return below === "" || below.startsWith("..") ? folder : below;
  });
  return [
    `[programs in folders of the workspace are not found by name: call them by their path, e.g. in ${shown.join(", ")}]`,
  ];
}
