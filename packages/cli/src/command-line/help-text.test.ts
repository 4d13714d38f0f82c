import { describe, expect, it } from "vitest";
import { exitCodes } from "../process/exit-codes.ts";
import { flags } from "./flags.ts";
import { helpText } from "./help-text.ts";
import { subcommands } from "./subcommand-rows.ts";

describe("helpText", () => {
  const text = helpText();

  it("fits a terminal of 80 columns", () => {
    expect(text.split("\n").filter((line) => line.length > 80 || line !== line.trimEnd())).toEqual([]);
  });

  it("lists every subcommand, flag, choice and exit code", () => {
    const words = text.replace(/\s+/g, " ");
    for (const { usage, doc } of Object.values(subcommands)) expect(words).toContain(`${usage} ${doc}`);
    for (const [name, row] of Object.entries(flags)) {
      expect(words).toContain(`--${name} ${"value" in row ? `${row.value} ` : ""}${row.doc}`);
      if ("choices" in row) expect(words).toContain(`${row.value}: ${row.choices.join(", ")}.`);
    }
    for (const { code, doc } of Object.values(exitCodes)) expect(words).toContain(`${code} ${doc}`);
  });
});
