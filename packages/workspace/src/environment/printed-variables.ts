import { isRecord, parseJson } from "@harness/host";
import { readStatements } from "./shell-statements.ts";

/** Variables of an environment, or of a change to one; null: unset. */
export type EnvironmentChange = Readonly<Record<string, string | null>>;

/** The limits for one value, and for all: a system accepts no more when it starts a program. */
const MAX_VALUE = 64 * 1024;
const MAX_ALL = 256 * 1024;

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/**
 * Variables of the shell that printed them, records of direnv and mise (which repeat all values), and harness's own.
 */
const leftAside =
  /^(?:_|PWD|OLDPWD|SHLVL|PPID|UID|EUID|BASHPID|SHELLOPTS|BASHOPTS|DIRENV_(?:DIFF|DIR|FILE|WATCHES)|__MISE_\w+|HARNESS(?:_\w+)?)$/;
/** Variables in the build environment printed by nix that its own shell leaves alone. */
const ofNixBuild =
  /^(?:HOME|NIX_BUILD_TOP|NIX_ENFORCE_PURITY|NIX_LOG_FD|NIX_REMOTE|SHELL|SSL_CERT_FILE|TEMP|TEMPDIR|TERM|TMP|TMPDIR|TZ)$/;
/** Lists that nix's shell prepends to the user's. */
const lists = new Set(["PATH", "XDG_DATA_DIRS"]);

/**
 * Parses a program's output about an environment: a JSON object (direnv, mise; nix, whose variables are nested),
 * entries that end with NUL (`env -0`), or lines of `NAME=value` and `export NAME='value'`. `base`: the environment of
 * the program.
 */
export function readPrintedVariables(
  text: string,
  base: Readonly<Record<string, string>>,
): { variables: EnvironmentChange } | { problem: string } {
  const read = readAny(text, base);
  if ("problem" in read) return read;
  const kept = read.entries.filter(([name]) => variableName.test(name) && !leftAside.test(name));
  const tooLong = kept.find(([, value]) => (value?.length ?? 0) > MAX_VALUE);
  if (tooLong) return { problem: `\`${tooLong[0]}\` has more than ${MAX_VALUE / 1024} kB` };
  if (kept.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0) > MAX_ALL)
    return { problem: `the variables have more than ${MAX_ALL / 1024} kB` };
  return { variables: Object.fromEntries(kept) };
}

type Entry = readonly [name: string, value: string | null];
type EntriesReading = { entries: readonly Entry[] } | { problem: string };

function readAny(text: string, base: Readonly<Record<string, string>>): EntriesReading {
  const trimmed = text.trim();
  if (trimmed === "") return { entries: [] };
  if (trimmed.startsWith("{")) return ofJson(trimmed, base);
  if (!text.includes("\0")) return readStatements(trimmed);
  return { entries: text.split("\0").flatMap(ofPair) };
}

function ofPair(pair: string): Entry[] {
  const at = pair.indexOf("=");
  return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)]] : [];
}

function ofJson(text: string, base: Readonly<Record<string, string>>): EntriesReading {
  const json = parseJson(text);
  if (!("value" in json)) return { problem: `it is not valid JSON (line ${json.line})` };
  if (!isRecord(json.value)) return { problem: "it is not a JSON object" };
  const { variables } = json.value;
  const isNix = isRecord(variables) && Object.values(variables).every((each) => isRecord(each) && "type" in each);
  if (isNix) return { entries: Object.entries(variables).flatMap(([name, each]) => ofNix(name, each, base)) };
  const entries: Entry[] = [];
  for (const [name, value] of Object.entries(json.value)) {
    if (value !== null && typeof value !== "string") return { problem: `\`${name}\` is neither a string nor null` };
    if (value?.includes("\0")) return { problem: `\`${name}\` has a NUL character` };
    entries.push([name, value]);
  }
  return { entries };
}

function ofNix(name: string, variable: unknown, base: Readonly<Record<string, string>>): Entry[] {
  if (!isRecord(variable) || variable.type !== "exported" || typeof variable.value !== "string") return [];
  if (ofNixBuild.test(name) || variable.value.includes("\0")) return [];
  const before = lists.has(name) ? base[name] : undefined;
  return [[name, before ? `${variable.value}:${before}` : variable.value]];
}
