import { WildcardPattern, type WildPart } from "@harness/gate";
import { misused, type ServerCommand } from "../server-command.ts";
import { splitNames } from "./pin-names.ts";
import { formatTokens, maxPinnedTokens, pinnedEntries, sumOf } from "./pinned-list.ts";

const NONE = "No files are pinned. /add FILE pins one.";

export const filesCommand: ServerCommand = {
  aliases: ["ls"],
  description: "List the pinned files, with the tokens that each adds to every request.",
  needsSession: true,
  async run(context) {
    const entries = await pinnedEntries(context);
    if (entries.length === 0) return NONE;
    const width = Math.max(...entries.map(({ name }) => name.length));
    const lines = entries.map(({ name, tokens, problem }) => {
      return `${name.padEnd(width)}  ${problem ?? formatTokens(tokens)}`;
    });
    const count = entries.length === 1 ? "1 pinned file" : `${entries.length} pinned files`;
    const sum = sumOf(entries);
    const limit = await maxPinnedTokens(context.session);
    // A file has grown, or a different model has a smaller context window.
    const cut =
      sum > limit ? [`Pinned files may take ${formatTokens(limit)} of this context window: they are cut.`] : [];
    return [`${count}, about ${formatTokens(sum)} in each request:`, ...lines, ...cut].join("\n");
  },
};

export const dropCommand: ServerCommand = {
  description: "Unpin files, by name as in /files, by path, or by pattern.",
  argumentHint: "FILE…",
  needsSession: true,
  async run(context, args) {
    const names = splitNames(args);
    if (names.length === 0) throw misused("/drop takes pinned files, as in /drop src/a.ts. /dropall unpins all.");
    const entries = await pinnedEntries(context);
    if (entries.length === 0) return NONE;
    const isMeant = (wanted: string, { name, file }: (typeof entries)[number]) => {
      const plain = wanted.replace(/#L?(\d+)(?:-L?(\d+))?$/, (_, from, to) => `:${from}-${to ?? from}`);
      const path = file.lines ? name.slice(0, name.lastIndexOf(":")) : name;
      return [name, path, file.path].includes(plain.replace(/^\.\//, "")) || matches(path, wanted);
    };
    const dropped = entries.filter((entry) => names.some((name) => isMeant(name, entry)));
    const missed = names.filter((name) => !entries.some((entry) => isMeant(name, entry)));
    const kept = entries.filter((entry) => !dropped.includes(entry));
    if (dropped.length > 0) {
      context.session.texts.pin(
        kept.map(({ file }) => file),
        [],
      );
    }
    return [
      ...dropped.map(({ name }) => `Unpinned ${name}.`),
      ...missed.map((name) => `${name} is not pinned. /files shows what is.`),
    ].join("\n");
  },
};

/** `*` matches anything within a name, `**` any folders as well. */
function matches(path: string, pattern: string): boolean {
  if (!pattern.includes("*")) return false;
  const parts = pattern.split(/(\*\*\/|\*+)/).flatMap((part): WildPart[] => {
    if (part === "**/") return [{ kind: "folders" }];
    if (part.startsWith("*")) return [{ kind: "run", within: part === "*" }];
    return [...part].map((char) => ({ kind: "one", fits: char }));
  });
  return new WildcardPattern(parts).test(path);
}

export const dropallCommand: ServerCommand = {
  description: "Unpin all files.",
  needsSession: true,
  run({ session }) {
    const { length } = session.state.pinned;
    if (length === 0) return NONE;
    session.texts.pin([], []);
    return length === 1 ? "Unpinned 1 file." : `Unpinned all ${length} files.`;
  },
};
