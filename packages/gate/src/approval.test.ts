import type { Effect } from "@harness/protocol";
import { expect, it } from "vitest";
import { runsOnlyReaders } from "./approval.ts";
import type { CommandView } from "./command/command-view.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";

const checked = { commands: [], joins: [] };
const run = (onlyReads: boolean) =>
  ({
    effect: { kind: "run", command: "x", cwd: "/w" },
    command: { onlyReads } as CommandView,
  }) satisfies ResolvedEffect;
const path = (kind: "read" | "write") => ({ effect: { kind, path: "/w/a" } as Effect });

it.each([
  ["a reader that runs as it was checked", { checked, resolved: [run(true), path("read")] }, true],
  ["a reader that runs as text, which a person or a mode has allowed", { resolved: [run(true)] }, false],
  ["beside another command", { checked, resolved: [run(true), run(false)] }, false],
  ["with a file that it writes", { checked, resolved: [run(true), path("write")] }, false],
  ["no command", { checked, resolved: [path("read")] }, false],
])("is a call known to change nothing: %s", (_what, approval, isKnown) => {
  expect(runsOnlyReaders(approval)).toBe(isKnown);
});
