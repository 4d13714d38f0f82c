/** The effect of a sequence: a name, and its new value; "" is the state before the program. */
type Change = (found: readonly string[], now: ReadonlyMap<string, string>) => readonly (readonly [string, string])[];

/** Terminals begin with these private modes set: wrapping rows, and a cursor. */
const SET_AT_FIRST = ["7", "25"];

/** kitty's keyboard settings form a stack. */
const keyboards: Change = ([sign], now) => {
  const depth = Math.max(0, Number(now.get("kitty's keyboard") ?? 0) + (sign === ">" ? 1 : -1));
  return [["kitty's keyboard", depth === 0 ? "" : String(depth)]];
};

/** Titles also form a stack. */
const titles: Change = ([sign], now) => {
  const depth = [...now.keys()].filter((name) => name.startsWith("kept title")).length;
  if (sign === "2") return [[`kept title ${depth + 1}`, JSON.stringify(now.get("title") ?? "")]];
  const kept = now.get(`kept title ${depth}`);
  if (kept === undefined) return [];
  return [
    [`kept title ${depth}`, ""],
    ["title", String(JSON.parse(kept))],
  ];
};

const changes: readonly (readonly [sequence: string, change: Change])[] = [
  [
    "\\[\\?([\\d;]+)([hl])",
    ([modes = "", final]) =>
      modes.split(";").map((mode) => {
        const isAsBefore = (final === "h") === SET_AT_FIRST.includes(mode);
        return [`mode ${mode}`, isAsBefore ? "" : final === "h" ? "set" : "reset"];
      }),
  ],
  ["\\[([<>])\\d*u", keyboards],
  ["\\[>4(?:;(\\d+))?m", ([value = ""]) => [["xterm's keys", value === "0" ? "" : value]]],
  ["\\[2([23])[;\\d]*t", titles],
  ["\\][02];([^\\u0007\\u001b]*)", ([title = ""]) => [["title", title]]],
  ["\\]9;4;(\\d)", ([progress = ""]) => [["progress", progress === "0" ? "" : progress]]],
  ["\\[(\\d*) q", ([form = ""]) => [["form of the cursor", form === "0" ? "" : form]]],
  ["\\[([\\d;:]*)m", ([look = ""]) => [["look of text", /^(0|2[2-9]|39|49|;)*$/.test(look) ? "" : look]]],
];

/** One expression for all, so that they are read in the order in which they were written. */
const ANY = new RegExp(`\\u001b(?:${changes.map(([sequence], at) => `(?<c${at}>${sequence})`).join("|")})`, "g");

/** The terminal states that a program's output has changed and not restored, in words; empty if all are restored. */
export function leftBehind(output: string): string[] {
  const now = new Map<string, string>();
  for (const { groups = {} } of output.matchAll(ANY)) {
    for (const [at, [sequence, change]] of changes.entries()) {
      const text = groups[`c${at}`];
      if (text === undefined) continue;
      const found = new RegExp(sequence).exec(text)?.slice(1) ?? [];
      for (const [name, value] of change(found, now)) value === "" ? now.delete(name) : now.set(name, value);
    }
  }
  return [...now].map(([name, value]) => `${name}: ${value}`);
}
