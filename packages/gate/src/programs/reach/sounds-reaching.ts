/** Parts of flag names that, in programs of any kind, start others, load, write, or reach elsewhere. */
const reachingParts: ReadonlySet<string> = new Set(
  (
    "exec execute executable eval cmd command program shell script scripts runner conf config configs configuration " +
    "configfile rc rcfile settings plugin plugins preset presets require import imports loader preload init setup bootstrap " +
    "hook hooks helper wrapper toolchain interpreter editor pager out output outputs outfile outdir dest destination prefix " +
    "chdir cwd home root rootdir basedir basetemp workdir directory host hostname remote server url uri registry repo " +
    "repository proxy endpoint upload publish pastebin mirror delete template classpath userconfig globalconfig options " +
    "opts env environment envfile profile logfile junitxml load run reporter pool checker provider transformer resolver sequencer"
  ).split(" "),
);

/** Common flags of test runners and build tools in which such a part means something else. */
const everyday =
  /^--(?:(?:no|ignore|skip|without|disable|show|list|print)-.*|run|run-?in-?band|output-on-failure|delete-conflict-orphans|test-?name-?pattern.*|test-?environment(?:=\w*)?)$/i;

/** Flags whose value is usually a plain name but may be a code file. */
const plainlyNamed =
  /^--(?:(?:test-?)?reporter|pool|env|profile|output-format|output-style|output-indicator)(?:=[\w-]*)?$/i;

/** `-o x`, `-ox`, `-vo x`; `-c x`, `-C x`, `-e x`, the last two also combined; and paths attached to them. */
const reachingLetters = /^-(?:o.*|[a-zA-Z]{1,3}o|c|C.*|[a-zA-Z]{0,3}[Ce]|[ceE][^A-Za-z0-9].*)$/;

/** For an unknown program: true if a flag sounds like one that starts, loads, writes or reaches elsewhere. */
export function soundsReaching(word: string): boolean {
  if (!word.startsWith("--")) return reachingLetters.test(word);
  if (everyday.test(word) || plainlyNamed.test(word)) return false;
  const [name = ""] = word.slice(2).split("=");
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.:]/)
    .some((part) => reachingParts.has(part));
}

/** True if the flag does so with this value: a code file where a plain name is usual. */
export function soundsReachingWith(flag: string, value: string): boolean {
  if (!/^\.{0,2}\/|\.(?:[cm]?[jt]sx?|so|py|rb|sh)$/.test(value)) return false;
  return flag === "-r" || plainlyNamed.test(flag);
}
