import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileStamps } from "@harness/host";
import { configPathsOf } from "@harness/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderSettings } from "./folder-settings.ts";
import { SettingsStore } from "./settings-store.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "store-")));
  mkdirSync(join(base, "project"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

let looks = 0;
const cwd = () => join(base, "project");
function open(trusted = () => false): FolderSettings {
  looks = 0;
  const stamps = new FileStamps();
  const store = new SettingsStore(configPathsOf({ HARNESS_HOME: join(base, "home") }, base), stamps);
  const inspected = { env: {}, paths: [], problems: [] };
  return new FolderSettings(cwd(), {
    store,
    envFiles: {
      paths: [join(base, "home/.env")],
      with: () => inspected,
      get environment() {
        looks += 1;
        return inspected;
      },
    },
    trust: { isTrusted: trusted },
  });
}
function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), typeof content === "string" ? content : JSON.stringify(content));
}

/** Files are checked once in each. */
const turnOfLoop = () => new Promise((done) => setImmediate(done));

describe("the settings of the gate", () => {
  it("have defaults where nothing is set", () => {
    expect(open().gate).toEqual({
      strict: false,
      autoAcceptSafeCommands: true,
      safeCommandPrefixes: null,
      deniedCommandPrefixes: [],
      additionalDirectories: [],
      checkpoints: true,
    });
  });

  it("are read again only when a file or the trust in it changes", async () => {
    let trusted = false;
    const settings = open(() => trusted);
    expect(settings.gate).toBe(settings.gate);
    void settings.current;
    expect(looks).toBe(1);
    put("project/.harness/settings.json", { denied_command_prefixes: ["rm"], additional_directories: ["/a"] });
    await turnOfLoop();
    expect(settings.gate).toMatchObject({ deniedCommandPrefixes: ["rm"], additionalDirectories: [] });
    trusted = true;
    await turnOfLoop();
    expect(settings.gate.additionalDirectories).toEqual(["/a"]);
    expect(looks).toBe(3);
  });

  it("let nothing run unasked when a file with restrictions cannot be read, and keep denying what was denied", async () => {
    put("home/settings.json", { denied_command_prefixes: ["git push"], permission_mode: "deny" });
    const settings = open();
    void settings.gate;
    put("home/settings.json", '{ "denied_command_prefixes": [');
    await turnOfLoop();
    expect(settings.gate).toMatchObject({
      strict: true,
      autoAcceptSafeCommands: false,
      deniedCommandPrefixes: ["git push"],
      unreadable: [expect.stringContaining("is not valid JSON")],
    });
    expect(settings.values.permission_mode).toBe("deny");
    put("home/settings.json", {});
    await turnOfLoop();
    expect(settings.gate).toMatchObject({
      strict: false,
      autoAcceptSafeCommands: true,
      deniedCommandPrefixes: [],
    });
    expect(settings.gate).not.toHaveProperty("unreadable");
    expect(settings.values.permission_mode).toBe("default");
  });
});
