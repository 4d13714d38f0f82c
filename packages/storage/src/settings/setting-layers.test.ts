import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileStamp } from "@harness/host";
import { isSettingKey, type SettingKey, settings } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConfigPaths, configPathsOf } from "../config-paths.ts";
import { loadSettings, type SettingsRequest } from "./load-settings.ts";
import { saveSettings } from "./save-settings.ts";
import { settingsFiles, stateOfFiles } from "./settings-source.ts";

let base = "";
let configPaths: ConfigPaths;
let cwd = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "layers-")));
  configPaths = configPathsOf({ HARNESS_HOME: join(base, "home") }, base);
  cwd = join(base, "project", "deep");
  mkdirSync(cwd, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const projectPath = () => join(base, "project", ".harness", "settings.json");
const tinyharnessPath = () => join(base, "project", ".tinyharness", "config.json");
function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}
const load = (over: Partial<SettingsRequest> = {}) => loadSettings({ configPaths, cwd, env: {}, flags: {}, ...over });
const value = (key: SettingKey, trusted = false) => load({ isTrusted: () => trusted }).values[key];
const view = (key: SettingKey, trusted = false) =>
  load({ isTrusted: () => trusted }).views.find((each) => each.key === key);

describe("the settings of a project, by trust", () => {
  const cases: [SettingKey, unknown, unknown, unknown, unknown][] = [
    // setting, user, project, untrusted, trusted
    ["permission_mode", "default", "allow-all", "default", "default"],
    ["permission_mode", "default", "auto", "default", "default"],
    ["permission_mode", "default", "plan", "deny", "deny"],
    ["permission_mode", "auto", "deny", "deny", "deny"],
    ["permission_mode", "auto", "accept-edits", "accept-edits", "accept-edits"],
    ["permission_mode", "deny", "plan", "deny", "deny"],
    ["preferred_mode", "planning", "agent", "planning", "agent"],
    ["preferred_mode", "agent", "casual", "casual", "casual"],
    ["strict", false, true, true, true],
    ["strict", true, false, true, true],
    ["auto_accept_safe_commands", true, false, false, false],
    ["auto_accept_safe_commands", false, true, false, true],
    ["sandbox", "off", "on", "on", "on"],
    ["sandbox", "off", "auto", "auto", "auto"],
    ["sandbox", "on", "off", "on", "on"],
    ["local_only", true, false, true, true],
    ["local_only", false, true, true, true],
    ["checkpoints", false, true, true, true],
    ["checkpoints", true, false, true, false],
    ["max_tool_calls", 10, 11, 10, 10],
    ["max_tool_calls", 10, 9, 9, 9],
    ["context_limit", 4096, 8192, 8192, 8192],
    ["model", "mine", "theirs", "mine", "theirs"],
    ["keyring", "auto", "off", "auto", "auto"],
    ["searxng_url", "http://a", "http://b", "http://a", "http://a"],
    ["custom_instructions", "mine", "theirs", "mine", "mine"],
    ["editor", "mine", "theirs", "mine", "mine"],
    ["editor", "", "theirs", "", ""],
    ["denied_command_prefixes", ["rm"], ["git push"], ["rm", "git push"], ["rm", "git push"]],
    ["safe_command_prefixes", ["ls"], ["npm test", "ls"], ["ls"], ["ls", "npm test"]],
    ["sandbox_domains", ["a.example"], ["b.example"], ["a.example"], ["a.example", "b.example"]],
    ["additional_directories", ["/a"], ["/b"], ["/a"], ["/a", "/b"]],
  ];
  it.each(cases)(
    "resolve %s (user %j, project %j) to %j when untrusted and %j when trusted",
    (key, user, project, untrusted, trusted) => {
      put(configPaths.settings, { [key]: user });
      put(projectPath(), { [key]: project });
      expect(value(key)).toEqual(untrusted);
      expect(value(key, true)).toEqual(trusted);
    },
  );

  it("never loosen a setting that has a scale", () => {
    for (const [key, row] of Object.entries(settings)) {
      if (!isSettingKey(key) || !("scale" in row)) continue;
      const scale: readonly unknown[] = row.scale;
      for (const [at, mine] of scale.entries()) {
        for (const theirs of scale) {
          put(configPaths.settings, { [key]: mine });
          put(projectPath(), { [key]: theirs });
          expect(scale.indexOf(value(key)), `${key} ${mine} ${theirs}`).toBeLessThanOrEqual(at);
        }
      }
    }
  });

  it("report all forbidden keys in one sentence per file, and each loosened value in its own", () => {
    put(projectPath(), { keyring: "off", model: "x", sandbox: "off", strict: false });
    put(configPaths.settings, { sandbox: "on" });
    expect(load().problems).toEqual([
      expect.stringMatching(
        /sets "model", "keyring", which is not used: until the folder is trusted, a project can only restrict/,
      ),
      expect.stringMatching(/^sandbox from .* is "off"; a project may only make it stricter, and yours is "on"/),
    ]);
    expect(load({ isTrusted: () => true }).problems[0]).toMatch(
      /sets "keyring", which is not used: a project cannot set that/,
    );
  });
});

it("a key of a project that is not a setting is called unknown, whether the project is trusted or not", () => {
  put(projectPath(), { keyring: "off", modell: "x" });
  for (const isTrusted of [() => false, () => true]) {
    expect(load({ isTrusted }).problems).toEqual([
      expect.stringMatching(/ sets "keyring", which is not used: .* Put it into your own settings\.$/),
      `"modell" in ${projectPath()} is not a setting of this version. It stays in the file but is not used.`,
    ]);
  }
});

describe("a list setting", () => {
  it("shows the user's own entries apart, so that a change never copies those of a project", () => {
    put(configPaths.settings, { denied_command_prefixes: ["rm"] });
    put(projectPath(), { denied_command_prefixes: ["git push"] });
    expect(view("denied_command_prefixes")).toEqual({
      key: "denied_command_prefixes",
      title: "Denied commands",
      group: "Permissions",
      doc: settings.denied_command_prefixes.doc,
      type: "list",
      value: ["rm", "git push"],
      own: ["rm"],
      default: [],
      takesEffect: "now",
      source: "project",
    });
    put(projectPath(), { denied_command_prefixes: ["rm"] });
    expect(view("denied_command_prefixes")).toMatchObject({ value: ["rm"], source: "user" });
    expect(view("denied_command_prefixes")).not.toHaveProperty("own");
  });

  it("adds the safe commands of a project, without the built-in ones", () => {
    put(projectPath(), { safe_command_prefixes: ["npm test"] });
    expect(value("safe_command_prefixes", true)).toEqual(["npm test"]);
    expect(view("safe_command_prefixes", true)).toMatchObject({ own: null, source: "project" });
    expect(value("safe_command_prefixes")).toBeNull();
  });

  it("accepts folders with ~ or absolute paths, and in a project those relative to it", () => {
    put(configPaths.settings, { additional_directories: ["~/lib", "/a/../b"] });
    put(projectPath(), { additional_directories: ["../sibling"] });
    expect(value("additional_directories", true)).toEqual([join(homedir(), "lib"), "/b", join(base, "sibling")]);
    put(configPaths.settings, { additional_directories: ["lib"] });
    expect(load().values.additional_directories).toEqual([]);
    expect(load().problems.at(-1)).toMatch(/has "lib", which is not an absolute path/);
  });

  it.each([
    ["safe_command_prefixes", "npm test, make", ["npm test", "make"]],
    ["safe_command_prefixes", "", undefined],
    ["denied_command_prefixes", "", undefined],
    ["denied_command_prefixes", '["a,b"]', ["a,b"]],
    ["denied_command_prefixes", ["rm"], ["rm"]],
  ])("saves %s from %j", (key, text, saved) => {
    expect(saveSettings(configPaths, [{ key, value: text }])).toHaveProperty("version");
    expect(load().values[key as SettingKey]).toEqual(saved ?? settings[key as SettingKey].default);
  });

  it.each(["[1]", '["a"', "rm"])("is rejected in a file that has %j instead of a list", (text) => {
    put(configPaths.settings, { denied_command_prefixes: text });
    expect(load()).toMatchObject({
      values: { denied_command_prefixes: [] },
      problems: [expect.stringContaining('expected a list of strings such as ["npm test", "make"]. It is not used.')],
      unreadable: [expect.stringContaining("denied_command_prefixes from")],
    });
  });

  it.each([
    ["theme_colors", ["bogus=#ff0000"], "a list of entries such as accent=#ff8800"],
    ["theme_colors", ["user=red", "accent=#ff8800"], "a list of entries such as accent=#ff8800"],
    ["tool_max_chars", ["bash=many"], "a list of entries such as bash=8000"],
    ["keep_alive", "a while", "a number of seconds, or a duration such as 15m"],
    ["file_encoding", "no name", "a name from the Encoding Standard, such as windows-1251"],
  ])("says for %s which form is right where it has %j", (key, text, expected) => {
    put(configPaths.settings, { [key]: text });
    expect(load().problems).toEqual([expect.stringContaining(`; expected ${expected}. It is not used.`)]);
  });

  it("may be empty for safe commands", () => {
    put(configPaths.settings, { safe_command_prefixes: [] });
    expect(value("safe_command_prefixes")).toEqual([]);
    expect(saveSettings(configPaths, [{ key: "safe_command_prefixes", value: [3] }])).toMatchObject({
      problem: expect.stringContaining('expected a list of strings such as ["npm test", "make"], or null'),
    });
  });
});

describe("the legacy project file", () => {
  it("has lower precedence, the same rules, and effect only for equivalent keys", () => {
    put(tinyharnessPath(), {
      denied_command_prefixes: ["git push"],
      safe_command_prefixes: ["make"],
      auto_accept_safe_commands: false,
      preferred_mode: "plan",
      context_limit: 4096,
      project_md_files: ["x.md"],
      model: "evil",
    });
    expect(load().values).toMatchObject({
      denied_command_prefixes: ["git push"],
      safe_command_prefixes: null,
      auto_accept_safe_commands: false,
      preferred_mode: "planning",
      context_limit: 4096,
      model: "",
    });
    const untrusted = 'sets "safe_command_prefixes", "project_md_files", which is not used';
    expect(load().problems).toEqual([expect.stringContaining(untrusted)]);
    expect(value("project_md_files", true)).toEqual(["x.md"]);
    put(projectPath(), { context_limit: 8192, denied_command_prefixes: ["rm"] });
    expect(load().values).toMatchObject({ context_limit: 8192, denied_command_prefixes: ["git push", "rm"] });
    expect(value("safe_command_prefixes", true)).toContain("make");
  });
});

describe("a restriction that may be lost", () => {
  it.each([
    ["a broken file", "user", "{", "is not valid JSON"],
    ["a broken project", "project", "{", "is not valid JSON"],
    ["a wrong list", "user", { denied_command_prefixes: [7] }, "is [7]; expected a list"],
    ["a wrong list of a project", "project", { denied_command_prefixes: "git push" }, 'is "git push"; expected a list'],
    ["a wrong list of a project that is not trusted", "project", { safe_command_prefixes: 7 }, "is 7; expected a list"],
    ["a wrong scale", "user", { sandbox: "yes" }, 'is "yes"; expected one of'],
  ])("is reported for %s", (_name, where, content, words) => {
    put(where === "user" ? configPaths.settings : projectPath(), content);
    expect(load().unreadable).toEqual([expect.stringContaining(words)]);
  });

  it("is not reported for settings that restrict nothing", () => {
    put(configPaths.settings, { model: 7, nonsense: 1 });
    expect(load().unreadable).toEqual([]);
  });
});

describe("the state of all setting sources", () => {
  const state = () =>
    stateOfFiles(settingsFiles(cwd, configPaths.settings), { stampOf: fileStamp, isTrusted: () => false });

  it("changes only when a source is written, created or removed", () => {
    const states = [state()];
    expect(state()).toBe(states[0]);
    for (const path of [
      configPaths.settings,
      projectPath(),
      tinyharnessPath(),
      join(cwd, ".harness", "settings.json"),
    ]) {
      put(path, {});
      states.push(state());
      rmSync(path);
      expect(state()).toBe(states[0]);
    }
    expect(new Set(states).size).toBe(5);
  });
});
