import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configPathsOf } from "../config-paths.ts";
import { unreadSettings } from "./unread-settings.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "unread-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(name: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), "{}");
}
const said = (env: Record<string, string> = {}) => unreadSettings(configPathsOf({}, home), { HOME: home, ...env });

describe("settings of other local agents", () => {
  it.each([
    ["FILESYSTEM_ROOT", "start harness in that folder"],
    ["DEBUG_CONTEXT", "use /context"],
  ])("may be variables, which are answered with ours: %s", (name, ours) => {
    expect(said({ [name]: "1" })).toEqual([
      `Not read, because these are variables of another program: ${name} (${ours}).`,
    ]);
    expect(said({ [name]: "" })).toEqual([]);
  });

  it.each([".config/harness/settings.json", ".config/harness/conversations/x", ".config/harness/imports.json"])(
    "are not named once there is something of our own, or an answer: %s",
    (own) => {
      put(".harness/config.json");
      put(own);
      expect(said({ FILESYSTEM_ROOT: "/" })).toEqual([]);
    },
  );
});
