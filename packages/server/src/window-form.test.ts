import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { windowForm } from "./window-form.ts";

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

it.each([
  [undefined, {}, "screen"],
  ["{}", {}, "screen"],
  ['{ "line_mode": true }', {}, "lines"],
  ['{ "line_mode": "yes" }', {}, "screen"],
  ['{ "line_mode": true ', {}, "screen"],
  ['{ "theme": "nord", "line_mode": false }', {}, "screen"],
  ['{ "line_mode": true }', { HARNESS_LINE_MODE: "false" }, "screen"],
  [undefined, { HARNESS_LINE_MODE: "true" }, "lines"],
  ['{ "inline": true }', {}, "inline"],
  ['{ "inline": true }', { HARNESS_INLINE: "false" }, "screen"],
  ['{ "inline": true, "line_mode": true }', {}, "lines"],
  [undefined, { HARNESS_INLINE: "true" }, "inline"],
])("with settings %s and variables %j the window is: %s", async (settings, env, wanted) => {
  const home = mkdtempSync(join(tmpdir(), "harness-lines-"));
  homes.push(home);
  if (settings !== undefined) writeFileSync(join(home, "settings.json"), settings);
  expect(await windowForm({ HARNESS_HOME: home, ...env })).toBe(wanted);
});
