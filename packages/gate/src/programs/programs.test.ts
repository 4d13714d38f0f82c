import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { everydayCommands, harmfulCommands } from "../../test/cases/all.cases.ts";
import { viewCommand } from "../command/command-view.ts";
import { readOnlyVerdict } from "../command/read-only-verdict.ts";
import { commandDenies } from "../findings/command-denies.ts";
import { isQuietCommand } from "../findings/quiet-commands.ts";
import { readStrictLine } from "../shell/strict-line.ts";
import type { Program } from "./program.ts";
import { commandToRun, programFamilies } from "./programs.ts";

type Row = { family: string; names: string[]; name: string; row: Program };

const rows: Row[] = Object.entries(programFamilies).flatMap(([family, programs]) =>
  Object.entries(programs).map(([text, row]) => {
    const names = text.split(" ");
    return { family, names, name: names[0] ?? "", row };
  }),
);
const having = <Key extends keyof Program>(key: Key, value?: Program[Key]) =>
  rows.filter(({ row }) => (value === undefined ? row[key] !== undefined : row[key] === value));

function view(command: string) {
  const effect: Effect & { kind: "run" } = { kind: "run", command, cwd: "/w" };
  return viewCommand(effect, { roots: ["/w"], prefixes: null, home: "/home/me", real: (path) => path }, effect);
}
const find = (command: string) => view(command).findings;
const pushes = (command: string) => commandDenies(command, ["git", "push"], find(command));

/** The programs of a line that runs unasked. */
function allowedPrograms(command: string): string[] {
  const line = readStrictLine(command);
  if ("outside" in line || "reason" in readOnlyVerdict(line, { cwd: "/w", exists: () => false })) return [];
  return line.commands.map(({ program }) => program);
}

const allowed = new Set(everydayCommands.flatMap(allowedPrograms));
const refused = Object.values(harmfulCommands)
  .flat()
  .map((command) => command.split(/[\s;|&(]+/));

describe("the table of programs", () => {
  it("has each program once", () => {
    const names = rows.flatMap((each) => each.names);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe("a program that may run unasked", () => {
  it.each(having("reads"))("has an everyday and a harmful case: $names", ({ names }) => {
    expect(names.some((name) => allowed.has(name))).toBe(true);
    expect(refused.some((words) => names.some((name) => words.includes(name)))).toBe(true);
  });
  it.each(having("reads"))("is asked about with an unknown flag: $names", ({ name }) => {
    expect(allowedPrograms(`${name} --no-such-flag-of-it a`)).toEqual(name === "echo" ? ["echo"] : []);
  });
  it.each(having("version"))("prints its version unasked, and nothing more: $names", ({ name, row }) => {
    for (const word of row.version?.split(" ") ?? []) {
      expect(allowedPrograms(`${name} ${word}`)).toEqual([name]);
      expect(allowedPrograms(`${name} ${word} $(rm x)`)).toEqual([]);
    }
  });
  it.each(having("harden"))("keeps its arguments when it is hardened: $names", ({ names }) => {
    const commands = everydayCommands.flatMap((command) => {
      const line = readStrictLine(command);
      return "outside" in line ? [] : line.commands.filter(({ program }) => names.includes(program));
    });
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const { words } = commandToRun(command, { platform: "linux", file: `/usr/bin/${command.program}` });
      const given = command.args.map(({ text }) => text).filter((text) => text !== "--no-pager");
      // Git's objects are named as commits, and stashes are shown as a diff.
      if (given[0] === "stash" && words.includes("diff")) given.splice(0, 2);
      const isKept = (text: string) => words.some((word) => word.replaceAll("^{commit}", "") === text);
      expect(given.filter((text) => !isKept(text))).toEqual([]);
    }
  });
});

describe("a program that starts others", () => {
  it.each(rows.filter(({ row }) => typeof row.starts === "object"))("starts the command after it: $names", (each) => {
    const { starts } = each.row;
    const operands = "5 ".repeat(typeof starts === "object" ? (starts.operands ?? 0) : 0);
    for (const name of each.names) expect(pushes(`${name} ${operands}git push`)).toBe(true);
  });
  it.each([...having("starts", "anywhere"), ...having("starts", "input")])(
    "may start any argument: $names",
    ({ names }) => {
      for (const name of names) expect(pushes(`${name} x git push`)).toBe(true);
    },
  );
  it.each(having("startingSubcommands"))("starts the command after its subcommands: $names", ({ name, row }) => {
    for (const words of row.startingSubcommands ?? []) expect(pushes(`${name} ${words} git push`)).toBe(true);
  });
  it.each(having("shell"))("reads a command as text: $names", ({ names }) => {
    for (const name of names) expect(pushes(`${name} -c 'git push'`)).toBe(true);
  });
  it.each(rows.filter(({ row }) => row.starts || row.shell || row.code || row.takesProgram || row.wide === true))(
    "is never proposed as a whole: $names",
    ({ names }) => {
      for (const name of names) expect(find(`${name} x`).proposals).toEqual([]);
    },
  );
});

describe("a program that touches files", () => {
  const isPlain = ({ name }: Row) => /^\w/.test(name);
  it.each(having("writes"))("writes its operands: $names", ({ name, row }) => {
    const { writes, reads } = find(`${name} a b c`);
    const written = { all: ["/w/a", "/w/b", "/w/c"], first: ["/w/a"], later: ["/w/b", "/w/c"], last: ["/w/c"] };
    expect(writes).toEqual(written[row.writes ?? "all"]);
    if (row.writes === "last") expect(reads).toEqual(["/w/a", "/w/b"]);
  });
  it.each(having("inspects").filter(isPlain))("reads its operands: $names", ({ name, row }) => {
    expect(find(`${name} a b`).reads).toEqual(row.inspects === "later" ? ["/w/b"] : ["/w/a", "/w/b"]);
  });
  it.each(having("destructive", true))("causes a checkpoint before it runs: $names", ({ names }) => {
    for (const name of names) expect(find(`${name} a`).destructive).toBe(true);
  });
  it("is never a read-only one", () => {
    expect(
      rows
        .filter(({ row }) => row.quiet && (row.writes || row.shell || row.danger !== undefined))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["find", "git"]);
  });
  it.each(having("quiet", true).filter(isPlain))(
    "changes nothing with arguments that are known: $names",
    ({ names }) => {
      for (const name of names) {
        const known = ["", " a", " 1", " -f a"].map((args) => isQuietCommand(name + args));
        expect(known).toContain(true);
        const unknown = ["-%o a", "--outp a", "--outp=a", "-a --no-such-flag"].map((args) =>
          isQuietCommand(`${name} ${args}`),
        );
        expect(unknown).toEqual(name === "echo" ? [true, true, true, true] : [false, false, false, false]);
      }
    },
  );
});

describe("a program that uses the network", () => {
  const examples = { operands: "h.example", first: "h.example", copies: "a me@h.example:b", refs: "x me@h.example:b" };
  it.each(having("hosts"))("names hosts: $names", ({ names, row }) => {
    for (const name of names) expect(find(`${name} ${examples[row.hosts ?? "first"]}`).hosts).toEqual(["h.example"]);
  });
  it.each(rows.filter(({ row }) => typeof row.sends === "string"))("is risky: $names", ({ name, row }) => {
    expect(find(`${name} a b`).danger?.reason).toBe(row.sends);
  });
});

describe("a program that is dangerous", () => {
  it.each(rows.filter(({ row }) => typeof row.danger === "string"))(
    "is always asked about: $names",
    ({ names, row }) => {
      for (const name of names) expect(find(`${name} a`).danger).toEqual({ reason: row.danger, always: true });
    },
  );
});
