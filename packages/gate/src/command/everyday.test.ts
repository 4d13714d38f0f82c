import { describe, expect, it } from "vitest";
import { everydayCommands, harmfulCommands } from "../../test/cases/all.cases.ts";
import { readStrictLine } from "../shell/strict-line.ts";
import { safeCommandVerdict } from "./safe-command.ts";

const ordinary = () => false;
const repositories = () => true;

/** Why a command is asked; undefined: it runs unasked. `exists`: are the folders below ordinary ones, or repositories? */
function askedBecause(command: string, exists = ordinary): string | undefined {
  const line = readStrictLine(command);
  if ("outside" in line) return line.outside;
  const verdict = safeCommandVerdict(line, null, { cwd: "/w", exists });
  return "reason" in verdict ? verdict.reason : undefined;
}

/** Appended to a reader, in its words or between two of them, each of these must end the permission. */
const spoilers = [
  " > out",
  " >> out",
  " 2> err",
  " & rm x",
  "; rm x",
  "\nrm x",
  " | sh",
  " && rm x",
  " $(rm x)",
  " `rm x`",
  ' "$(rm x)"',
  " <(rm x)",
  " {a,b}",
  " # x",
  " $'x'",
  " | tee out",
];
const readers = everydayCommands.filter((command) => askedBecause(command) === undefined && !command.includes("\\"));
const spoiled = readers.flatMap((command, index) =>
  [0, 5, 10].map((step) => `${command}${spoilers[(index + step) % spoilers.length]}`),
);

describe("everyday read-only commands", () => {
  it("are at least 200, and at least 95 % of them run unasked", () => {
    const asked = everydayCommands.filter((command) => askedBecause(command) !== undefined);
    expect(everydayCommands.length).toBeGreaterThanOrEqual(200);
    expect(asked.length / everydayCommands.length, asked.join("\n")).toBeLessThanOrEqual(0.05);
  });
});

describe.each(Object.entries(harmfulCommands))("%s", (_name, commands) => {
  it.each(commands.map((command) => [command]))("is asked about: %j", (command) => {
    expect(askedBecause(command, repositories)).toMatch(/\w/);
  });
});

describe("read-only commands combined with something harmful", () => {
  it("are all asked about", () => {
    expect(spoiled.filter((command) => askedBecause(command) === undefined)).toEqual([]);
  });
});

it("the list has at least 600 cases, each once in its class", () => {
  for (const commands of Object.values(harmfulCommands)) expect(new Set(commands).size).toBe(commands.length);
  expect(new Set(everydayCommands).size).toBe(everydayCommands.length);
  const harmful = Object.values(harmfulCommands).flat();
  expect(harmful.length).toBeGreaterThanOrEqual(500);
  expect(everydayCommands.length + harmful.length + spoiled.length).toBeGreaterThanOrEqual(600);
});
