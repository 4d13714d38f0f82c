import { basename, dirname } from "node:path";
import type { TrustFile } from "./trust-files.ts";
import { isClaudeSettings, isLanguageServers, trustKind, trustNames, withoutFolder } from "./trust-kind.ts";

/** The effect of changed files on others that were trusted together with them. */
export type AlteredReach = {
  /** Files that are not used until they are trusted again: changed and new ones, and those that use one of them. */
  off: ReadonlySet<string>;
  /** Previously trusted files that judge calls but do not run now, because they are off or gone. */
  judges: readonly TrustFile[];
};

type AlteredFile = Pick<TrustFile, "folder" | "path">;

/** Kinds of files that run something. */
const RUNNING = ["tool", "command", "hook", "provider", "mcp", "skill", "other"];

/** `altered`: changed, new and removed files. `textOf`: the current text of a file; undefined: it cannot be read. */
export function alteredReach(
  { files, before, altered }: Record<"files" | "before", readonly TrustFile[]> & { altered: readonly AlteredFile[] },
  textOf: (file: TrustFile) => string | undefined,
): AlteredReach {
  const off = new Set(altered.map(({ path }) => path));
  const texts = new Map<string, string>();
  const textOnce = (file: TrustFile) => {
    const text = texts.get(file.path) ?? textOf(file) ?? "";
    texts.set(file.path, text);
    return text;
  };
  const running = files.filter(isRunning);
  const queue: AlteredFile[] = altered.filter((file) => isRunning(file));
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const user of usersOf(next, running, textOnce)) {
      if (off.has(user.path)) continue;
      off.add(user.path);
      queue.push(user);
    }
  }
  const there = new Set(files.map(({ path }) => path));
  const judges = before.filter((file) => file.judges && (off.has(file.path) || !there.has(file.path)));
  return { off, judges };
}

function isRunning(file: AlteredFile): boolean {
  const kind = trustKind(withoutFolder(file));
  const isWords = kind === "command" && file.path.endsWith(".md");
  return (RUNNING.includes(kind) && !isWords) || isNamedFile(file);
}

/** True for a file from anywhere in the project that hooks or servers run. */
function isNamedFile(file: AlteredFile): boolean {
  const path = withoutFolder(file);
  return !trustNames.some((name) => path === name || path.startsWith(`${name}/`));
}

/** Counts every file that cannot be ruled out: a file that nobody names may be loaded by all its neighbours. */
function usersOf(file: AlteredFile, running: readonly TrustFile[], textOf: (file: TrustFile) => string): TrustFile[] {
  const skill = skillFolder(file);
  if (skill !== undefined) return running.filter(({ path }) => path.startsWith(skill));
  const isNamed = mention(file);
  const others = running.filter(({ path }) => path !== file.path);
  // A `.conf` says what the program next to it may receive and do.
  const users = others.filter((each) => file.path === `${each.path}.conf` || isNamed(textOf(each)));
  if (users.length > 0 || !isSupport(file)) return users;
  if (isNamedFile(file)) return others.filter(isHookOrServerFile);
  const base = `${baseOf(file)}/`;
  return others.filter(({ path }) => path.startsWith(base));
}

function skillFolder({ path }: AlteredFile): string | undefined {
  return /^(?:.*\/)?skills\/[^/]+\//.exec(path)?.[0];
}

function isHookOrServerFile(file: TrustFile): boolean {
  const path = withoutFolder(file);
  return isClaudeSettings(path) || isLanguageServers(path) || path.endsWith("hooks.json") || trustKind(path) === "mcp";
}

/** The `.harness` or plugin folder that a file belongs to. */
function baseOf({ path }: AlteredFile): string {
  return /^(?:.*\/)?\.(?:harness|claude)(?:\/plugins\/[^/]+)*/.exec(path)?.[0] ?? dirname(path);
}

/** True if it is not a tool, hook or the like itself, but something that these may load. */
function isSupport(file: AlteredFile): boolean {
  if (isNamedFile(file) || trustKind(withoutFolder(file)) === "other") return true;
  const inner = file.path.slice(baseOf(file).length + 1).split("/");
  return inner.length > (inner[0] === "hooks.d" ? 3 : 2) && inner[0] !== "commands";
}

/** Looks for places where a program names a file in order to run or load it. */
function mention(file: AlteredFile): (text: string) => boolean {
  const name = basename(file.path);
  const stem = name.replace(/(?<=.)\.[^.]+$/, "");
  const loaded = String.raw`(?:\/|\b(?:import|from|source|require|exec|sh|bash|zsh|python3?|node|perl|ruby)[ \t]{0,3}[("']{0,2}|[ \t]-m[ \t]{1,3}|(?:^|[\s;&|(])\.[ \t]{1,3}["']?)`;
  const pattern = new RegExp(`${loaded}${stem.replace(/[^\w]/g, String.raw`\$&`)}(?![\\w-])`, "m");
  const folder = isSupport(file) && !isNamedFile(file) ? basename(dirname(file.path)) : undefined;
  return (text) =>
    (name !== stem && text.includes(name)) ||
    pattern.test(text) ||
    (folder !== undefined &&
      !folder.startsWith(".") &&
      new RegExp(`["'/]${folder.replace(/[^\w]/g, String.raw`\$&`)}["'/]`).test(text));
}
