import { flagCases, hiddenCommandCases, innocentCases, openCases, spellingCases } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { commandDenies, commandMayDeny } from "./command-denies.ts";
import { findInCommand } from "./find-in-command.ts";

const place = { cwd: "/w", roots: ["/w"] };
const denies = (command: string, argv: string[]) => commandDenies(command, argv, findInCommand(command, place));

describe("a denied command prefix, searched in text", () => {
  it.each(hiddenCommandCases.map(({ command, words }) => [command, words]))("is found in %j", (command, words) => {
    expect(denies(command, words.slice(0, 2))).toBe(true);
  });
  // Only a grammar decodes the numeric escapes of `$'…'`.
  it.each(spellingCases.filter((each) => !/\\[x1]/.test(each)).map((each) => [each]))(
    "is recognised in %j",
    (command) => {
      expect(denies(command, ["git", "push"])).toBe(true);
    },
  );
  it.each(innocentCases.slice(0, 5).map((each) => [each]))("is not found in %j", (command) => {
    expect(denies(command.replace("'a; git push'", "a"), ["git", "push"])).toBe(false);
  });
  it.each(flagCases.filter(([, , isDenied]) => isDenied))("is found, for %j, in %j", (rule, command) => {
    expect(denies(command, rule.split(" "))).toBe(true);
  });
  it.each(openCases.map((each) => [each]))("may be in %j", (command) => {
    expect(commandMayDeny(["git", "push"], findInCommand(command, place))).toBe(true);
  });
  it("may name the program by a path", () => {
    expect(denies("rm a", ["/bin/rm"])).toBe(true);
    expect(denies("/bin/rm a", ["rm"])).toBe(true);
  });
});
