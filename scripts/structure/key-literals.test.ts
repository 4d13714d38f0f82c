import { describe, expect, it } from "vitest";
import { keyLiterals } from "./key-literals.ts";
import { readSourceFile } from "./source-files.ts";

const found = (text: string, path = "packages/tui/src/screens/home/tips.tsx"): string[] =>
  keyLiterals([readSourceFile(path, text)]).map((finding) => /names the key (.*): take/.exec(finding)?.[1] ?? finding);

describe("keys in what the window says", () => {
  it.each([
    [`export const tip = "Ctrl+O opens it.";`, ["Ctrl+O"]],
    ["export const tip = (n: number) => n + ` more · Ctrl+X A`;", ["Ctrl+X A"]],
    [`export const key = "ctrl+x l";`, ["ctrl+x l"]],
    [`export const keys = "↑↓ move · s stop";`, ["↑↓"]],
    [`export const keys = "s stop · Esc close";`, ["Esc"]],
    [`export const field = <Text>Enter saves</Text>;`, ["Enter"]],
    [`export const both = ["PgDn to see the rest", "Shift+Tab"];`, ["PgDn", "Shift+Tab"]],
  ])("are found: %s", (text, keys) => {
    expect(found(text)).toEqual(keys);
  });

  it.each([
    `export const isEnter = (name: string) => name === "enter";`,
    `// Ctrl+O opens it.\nexport const said = "The table has a Tabular form; reenter it.";`,
    `import { enter } from "./Enter-hint.ts";\nexport const said = enter("saves");`,
  ])("are no other words: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("have their names in the keymap", () => {
    expect(found(`export const key = "ctrl+o";`, "packages/tui/src/keymap/window-keys.ts")).toEqual([]);
  });
});
