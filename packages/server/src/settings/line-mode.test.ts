import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { wantsLines } from "./line-mode.ts";

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

it.each([
  [undefined, {}, false],
  ["{}", {}, false],
  ['{ "line_mode": true }', {}, true],
  ['{ "line_mode": "yes" }', {}, false],
  ['{ "line_mode": true ', {}, false],
  ['{ "theme": "nord", "line_mode": false }', {}, false],
  ['{ "line_mode": true }', { HARNESS_LINE_MODE: "false" }, false],
  [undefined, { HARNESS_LINE_MODE: "true" }, true],
])("with settings %s and variables %j plain lines are wanted: %s", async (settings, env, wanted) => {
  const home = mkdtempSync(join(tmpdir(), "harness-lines-"));
  homes.push(home);
  if (settings !== undefined) writeFileSync(join(home, "settings.json"), settings);
  expect(await wantsLines({ HARNESS_HOME: home, ...env })).toBe(wanted);
});
