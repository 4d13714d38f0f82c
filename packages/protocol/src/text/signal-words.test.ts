import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { exitCodeInWords, signalInWords } from "./signal-words.ts";

describe("the end of a program in words", () => {
  it.each([
    ["SIGXFSZ", "SIGXFSZ (a file grew past the limit)"],
    ["SIGKILL", "SIGKILL (it was stopped by force, often because memory ran out)"],
    ["SIGUSR1", "SIGUSR1"],
    ["toString", "toString"],
  ])("%s is %s", (signal, words) => {
    expect(signalInWords(signal)).toBe(words);
  });

  it.each([
    [0, "0"],
    [1, "1"],
    [137, "137 (SIGKILL: it was stopped by force, often because memory ran out)"],
    [141, "141 (SIGPIPE: the program that read its output had ended)"],
    [128, "128"],
    [255, "255"],
  ])("exit code %i is %s", (code, words) => {
    expect(exitCodeInWords(code)).toBe(words);
  });

  it("has the numbers of this system", () => {
    for (const [name, number] of Object.entries(constants.signals)) {
      const known = /\((\w+)/.exec(exitCodeInWords(128 + number))?.[1];
      // SIGIOT is the old name of SIGABRT.
      if (known !== undefined && name !== "SIGIOT") expect(name).toBe(known);
    }
  });
});
