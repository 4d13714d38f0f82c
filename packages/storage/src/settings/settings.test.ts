import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SettingKey, settings } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConfigPaths, configPathsOf } from "../config-paths.ts";
import { loadSettings, type SettingsRequest } from "./load-settings.ts";
import { saveSettings } from "./save-settings.ts";
import type { LastGood } from "./settings-source.ts";

let base = "";
let configPaths: ConfigPaths;
let cwd = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "settings-")));
  configPaths = configPathsOf({ HARNESS_HOME: join(base, "home") }, base);
  cwd = join(base, "project", "deep", "down");
  mkdirSync(cwd, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const projectPath = () => join(base, "project", ".harness", "settings.json");
function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}
const load = (over: Partial<SettingsRequest> = {}) => loadSettings({ configPaths, cwd, env: {}, flags: {}, ...over });
const view = (key: SettingKey, over: Partial<SettingsRequest> = {}) =>
  load(over).views.find((each) => each.key === key);
const file = () => JSON.parse(readFileSync(configPaths.settings, "utf8"));

describe("effective settings", () => {
  it("accept values of older versions, also when they are saved again", () => {
    mkdirSync(dirname(configPaths.settings), { recursive: true });
    writeFileSync(configPaths.settings, JSON.stringify({ effort: "off" }));
    expect([load().values.effort, load().problems]).toEqual(["none", []]);
    expect(saveSettings(configPaths, [{ key: "effort", value: "off" }])).toHaveProperty("version");
    expect(JSON.parse(readFileSync(configPaths.settings, "utf8"))).toEqual({ effort: "none" });
  });

  it("are the defaults when nothing is set, with everything that a front end shows", () => {
    const { values, views, problems, path, version } = load();
    expect(values).toEqual(Object.fromEntries(Object.entries(settings).map(([key, row]) => [key, row.default])));
    expect({ problems, path, version }).toEqual({ problems: [], path: configPaths.settings, version: "none" });
    expect(views.map((each) => each.key)).toEqual(Object.keys(settings));
    expect(view("effort")).toMatchObject({
      type: "choice",
      choices: ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
      source: "default",
    });
    expect(view("context_limit")).toMatchObject({ type: "number", value: null, default: null });
    expect(existsSync(configPaths.settings)).toBe(false);
  });

  it("are taken from flag, environment, project, user and default, in this order", () => {
    const layers: [string, Partial<SettingsRequest>, unknown, string, string | undefined][] = [
      ["user", {}, 90, "user", undefined],
      ["project", {}, 80, "project", projectPath()],
      ["env", { env: { HARNESS_MAX_TURNS: "70" } }, 70, "env", "HARNESS_MAX_TURNS"],
      ["env", { env: { MAX_STEPS: "30" } }, 30, "env", "MAX_STEPS"],
      ["env", { env: { HARNESS_MAX_TURNS: "70", MAX_STEPS: "30" } }, 70, "env", "HARNESS_MAX_TURNS"],
      ["flag", { env: { HARNESS_MAX_TURNS: "70" }, flags: { max_turns: "60" } }, 60, "flag", "--max-turns"],
    ];
    for (const [layer, request, value, source, overriddenBy] of layers) {
      if (layer === "user") put(configPaths.settings, { max_turns: 90 });
      if (layer === "project") put(projectPath(), { max_turns: 80 });
      expect(view("max_turns", request)).toMatchObject({ value, source });
      expect(view("max_turns", request)?.overriddenBy).toBe(overriddenBy);
      expect(load(request).values.max_turns).toBe(value);
    }
  });

  it("ignore values that are empty, null or absent", () => {
    put(configPaths.settings, { model: "mine", max_turns: null });
    const { values, problems } = load({
      env: { HARNESS_MODEL: "", HARNESS_MAX_TURNS: undefined },
      flags: { model: undefined },
    });
    expect(values).toMatchObject({ model: "mine", max_turns: 100 });
    expect(problems).toEqual([]);
  });

  const wrong: [SettingKey, unknown, RegExp][] = [
    [
      "max_turns",
      0,
      /^max_turns from .*settings\.json is 0; expected a whole number from 1 to 10,000\. It is not used\.$/,
    ],
    ["max_turns", "12", /is "12"; expected a whole number/],
    ["max_turns", 1.5, /is 1\.5; expected a whole number/],
    ["context_limit", 5, /a whole number from 1,024 to 10,000,000, or null/],
    ["tool_timeout_ms", 1e9, /from 1,000 to 600,000/],
    ["show_thinking", "yes", /expected true or false/],
    ["permission_mode", "yolo", /expected one of deny, default, review, accept-edits, auto-in-sandbox, allow-all/],
    ["effort", [1], /is \[1\]; expected one of "", none, minimal/],
    ["model", { a: "x".repeat(500) }, /is \{"a":"x{40,60}…; expected a string/],
  ];
  it.each(wrong)("ignore %s = %j, and report what is expected", (key, value, sentence) => {
    put(configPaths.settings, { [key]: value, custom_instructions: "kept" });
    const { values, problems } = load();
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(values[key]).toBe(settings[key].default);
    expect(values.custom_instructions).toBe("kept");
  });

  const texts: [SettingKey, string, unknown][] = [
    ["max_turns", " 7 ", 7],
    ["max_turns", "7.5", undefined],
    ["max_turns", "seven", undefined],
    ["show_thinking", "YES", true],
    ["show_thinking", "0", false],
    ["show_thinking", "maybe", undefined],
    ["permission_mode", "deny", "deny"],
    ["permission_mode", "auto", "allow-all"],
    ["model", "vendor/model:latest", "vendor/model:latest"],
    ["context_limit", "32768", 32768],
  ];
  it.each(texts)("parse %s from the text %j", (key, text, value) => {
    const { values, problems } = load({ flags: { [key]: text } });
    expect(values[key]).toBe(value ?? settings[key].default);
    expect(problems).toHaveLength(value === undefined ? 1 : 0);
  });

  it("come from the next source when the stronger one is invalid", () => {
    put(configPaths.settings, { max_turns: 20 });
    const { values, problems } = load({ env: { HARNESS_MAX_TURNS: "many" } });
    expect(values.max_turns).toBe(20);
    expect(problems).toEqual([expect.stringContaining('from HARNESS_MAX_TURNS is "many"')]);
    expect(view("max_turns", { env: { HARNESS_MAX_TURNS: "many" } })).not.toHaveProperty("overriddenBy");
  });

  it("report unknown keys, even names of Object.prototype", () => {
    put(configPaths.settings, '{"modell":"x","__proto__":{"model":"evil"},"constructor":1}');
    const { values, problems } = load();
    expect(problems).toHaveLength(3);
    expect(problems[0]).toMatch(
      /"modell" in .* is not a setting of this version\. It stays in the file but is not used/,
    );
    expect(values.model).toBe("");
  });
});

describe("a project's settings", () => {
  it("are read from the nearest parent folder, and never from the user's own file", () => {
    put(projectPath(), { show_thinking: true });
    expect(view("show_thinking")?.source).toBe("project");
    put(join(cwd, ".harness", "settings.json"), { context_limit: 4096 });
    expect(view("show_thinking")?.source).toBe("default");
    expect(view("context_limit")?.source).toBe("project");
    const own = configPathsOf({ HARNESS_HOME: join(cwd, ".harness") }, base);
    expect(view("context_limit", { configPaths: own })?.source).toBe("user");
  });

  it.each<[object, object]>([
    [{ permission_mode: "plan" }, { permission_mode: "deny", preferred_mode: "planning" }],
    [
      { permission_mode: "plan", preferred_mode: "agent" },
      { permission_mode: "deny", preferred_mode: "planning" },
    ],
    [
      { permission_mode: "plan", preferred_mode: "casual" },
      { permission_mode: "deny", preferred_mode: "casual" },
    ],
    [{ permission_mode: "auto" }, { permission_mode: "allow-all", preferred_mode: "agent" }],
  ])("of older versions are taken over: %j", (older, now) => {
    put(configPaths.settings, older);
    expect(load()).toMatchObject({ values: now, problems: [] });
  });

  it("may only restrict until the folder is trusted, and the rest is reported", () => {
    put(projectPath(), {
      model: "evil",
      provider: "evil",
      permission_mode: "deny",
      custom_instructions: "obey",
      max_turns: 5,
      nonsense: 1,
    });
    const { values, problems } = load();
    expect(values).toMatchObject({
      model: "",
      provider: "",
      permission_mode: "deny",
      custom_instructions: "",
      max_turns: 5,
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /"provider", "model", "custom_instructions", which is not used: until the folder is trusted/,
      ),
      expect.stringMatching(/^"nonsense" in .* is not a setting of this version/),
    ]);
  });

  it("may lower the number of turns but not raise it", () => {
    put(configPaths.settings, { max_turns: 10 });
    put(projectPath(), { max_turns: 11 });
    expect(load()).toMatchObject({
      values: { max_turns: 10 },
      problems: [expect.stringContaining("may only lower it")],
    });
  });

  it("cannot block or flood the reader", () => {
    mkdirSync(projectPath(), { recursive: true });
    expect(load().problems).toEqual([expect.stringMatching(/not a regular file|EISDIR/)]);
    rmSync(projectPath(), { recursive: true });
    put(projectPath(), `{"model":"${"x".repeat(2_000_000)}"}`);
    expect(load().problems).toEqual([expect.stringContaining("larger than 1 MB")]);
  });
});

describe("saving settings", () => {
  it("writes changed keys for this user only, and keeps unknown ones", () => {
    put(configPaths.settings, { unknown_key: { deep: [1] }, model: "old", max_turns: 9 });
    const saved = saveSettings(configPaths, [
      { key: "model", value: "new" },
      { key: "max_turns", value: null },
      { key: "show_thinking", value: "on" },
    ]);
    expect(saved).toEqual({ version: load().version });
    expect(file()).toEqual({ unknown_key: { deep: [1] }, model: "new", show_thinking: true });
    expect(statSync(configPaths.settings).mode & 0o777).toBe(0o600);
    expect(readdirSync(configPaths.root)).toEqual(["settings.json"]);
  });

  it("creates the file and its folder", () => {
    expect(saveSettings(configPaths, [{ key: "model", value: "m" }])).toHaveProperty("version");
    expect(load().values.model).toBe("m");
    expect(statSync(configPaths.root).mode & 0o777).toBe(0o700);
  });

  it("applies all changes or none", () => {
    put(configPaths.settings, { model: "old" });
    const good = { key: "model", value: "new" };
    for (const [bad, sentence] of [
      [
        { key: "max_turns", value: 0 },
        /max_turns cannot be 0; expected a whole number from 1 to 10,000\. Nothing was saved/,
      ],
      [{ key: "nope", value: 1 }, /There is no setting "nope"/],
      [{ key: "__proto__", value: {} }, /There is no setting/],
    ] as const) {
      expect(saveSettings(configPaths, [good, bad])).toEqual({
        kind: "invalid",
        problem: expect.stringMatching(sentence),
      });
    }
    expect(file()).toEqual({ model: "old" });
  });

  it("fails when the file has changed since it was read", () => {
    put(configPaths.settings, { model: "a" });
    const { version } = load();
    put(configPaths.settings, { model: "b" });
    expect(saveSettings(configPaths, [{ key: "model", value: "c" }], { expectedVersion: version })).toMatchObject({
      kind: "conflict",
    });
    expect(file()).toEqual({ model: "b" });
    expect(
      saveSettings(configPaths, [{ key: "model", value: "c" }], { expectedVersion: load().version }),
    ).toHaveProperty("version");
    const missing = configPathsOf({ HARNESS_HOME: join(base, "other") }, base);
    expect(saveSettings(missing, [{ key: "model", value: "c" }], { expectedVersion: "none" })).toHaveProperty(
      "version",
    );
  });

  it("leaves the file untouched when nothing changes", () => {
    put(configPaths.settings, '{ "model" : "a" }');
    expect(saveSettings(configPaths, [{ key: "model", value: "a" }])).toEqual({ version: load().version });
    expect(readFileSync(configPaths.settings, "utf8")).toBe('{ "model" : "a" }');
  });

  it("reports a broken file and renames it before writing, every time", () => {
    for (const broken of ['{"model": "a",}', "[1]"]) {
      put(configPaths.settings, broken);
      const { values, problems } = load();
      expect(values.model).toBe("");
      expect(problems).toEqual([
        expect.stringMatching(/settings\.json (is not valid JSON \(line 1, column 15: a comma|must contain an object)/),
      ]);
      expect(readFileSync(configPaths.settings, "utf8")).toBe(broken);
      saveSettings(configPaths, [{ key: "model", value: "b" }]);
      expect(file()).toEqual({ model: "b" });
    }
    const aside = readdirSync(configPaths.root).filter((name) => name.startsWith("settings.json.broken-"));
    expect(aside.map((name) => readFileSync(join(configPaths.root, name), "utf8")).sort()).toEqual(
      ["[1]", '{"model": "a",}'].sort(),
    );
  });

  it("lets what a file said before hold while it is broken, and saves over that", () => {
    const lastGood: LastGood = new Map();
    put(configPaths.settings, { model: "a", effort: "high" });
    expect(load({ lastGood }).values.model).toBe("a");
    put(configPaths.settings, '{"model": "b",');
    const { values, problems, unreadable } = load({ lastGood });
    expect(values).toMatchObject({ model: "a", effort: "high" });
    expect(problems).toEqual([
      expect.stringMatching(/not valid JSON .* Until it is corrected, its previous settings stay in effect\.$/),
    ]);
    expect(unreadable).toEqual(problems);
    expect(load().values.model).toBe("");
    saveSettings(configPaths, [{ key: "model", value: "c" }], { lastGood });
    expect(file()).toEqual({ model: "c", effort: "high" });
    put(configPaths.settings, {});
    expect(load({ lastGood }).values.model).toBe("");
    rmSync(configPaths.settings);
    expect(load({ lastGood }).problems).toEqual([]);
  });

  it("keeps a link to a file elsewhere", () => {
    put(join(base, "dotfiles", "s.json"), { model: "a" });
    mkdirSync(configPaths.root);
    symlinkSync(join(base, "dotfiles", "s.json"), configPaths.settings);
    saveSettings(configPaths, [{ key: "model", value: "b" }]);
    expect(JSON.parse(readFileSync(join(base, "dotfiles", "s.json"), "utf8"))).toEqual({ model: "b" });
  });

  it("reports why the disk fails, and leaves an unreadable file alone", () => {
    writeFileSync(join(base, "home"), "");
    expect(saveSettings(configPaths, [{ key: "model", value: "b" }])).toMatchObject({
      kind: "failed",
      problem: expect.stringMatching(/Could not save the settings: .*settings\.json/),
    });
    rmSync(join(base, "home"));
    mkdirSync(configPaths.settings, { recursive: true });
    expect(saveSettings(configPaths, [{ key: "model", value: "b" }])).toMatchObject({ kind: "failed" });
  });

  it("keeps the changes that two processes make at the same moment", async () => {
    put(configPaths.settings, { kept: 1 });
    const module = new URL("save-settings.ts", import.meta.url).href;
    const changer = (key: string, first: number) =>
      spawn(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `import { saveSettings } from ${JSON.stringify(module)};
         process.stdout.write("ready");
         await new Promise((go) => process.stdin.once("data", go));
         for (let n = 0; n < 25; n += 1) {
           const saved = saveSettings(${JSON.stringify(configPaths)}, [{ key: ${JSON.stringify(key)}, value: ${first} + n }]);
           if ("problem" in saved) throw new Error(saved.problem);
         }
         process.exit(0);`,
        ],
        { stdio: ["pipe", "pipe", "inherit"] },
      );
    const both = [changer("max_turns", 100), changer("max_tool_calls", 200)];
    await Promise.all(both.map((each) => once(each.stdout, "data")));
    for (const each of both) each.stdin.write("go");
    const codes = await Promise.all(both.map(async (each) => (await once(each, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    expect(file()).toEqual({ kept: 1, max_turns: 124, max_tool_calls: 224 });
    expect(readdirSync(configPaths.root)).toEqual(["settings.json"]);
  });
});

describe("a settings file that may have lost a restriction", () => {
  it.each([
    ["a name twice", '{"denied_command_prefixes":["rm"],"denied_command_prefixes":[]}', /twice/],
    ["bytes that are not text", Buffer.from('{"denied_command_prefixes":["r\xfcm"]}', "latin1"), /not UTF-8/],
  ])("is reported and never overwritten when it has %s", (_what, content, problem) => {
    mkdirSync(dirname(configPaths.settings), { recursive: true });
    writeFileSync(configPaths.settings, content);
    const loaded = load();
    expect(loaded.unreadable).toEqual([expect.stringMatching(problem)]);
    expect(loaded.problems).toContainEqual(expect.stringMatching(problem));
    expect(saveSettings(configPaths, [{ key: "sandbox", value: "on" }])).toMatchObject({ kind: "failed" });
  });

  it("is reported when it is a link to nothing", () => {
    mkdirSync(dirname(configPaths.settings), { recursive: true });
    symlinkSync(join(base, "gone"), configPaths.settings);
    expect(load().unreadable).toEqual([expect.stringContaining("Could not read the settings")]);
  });
});
