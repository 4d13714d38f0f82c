import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileStamps } from "@harness/host";
import { configPathsOf } from "@harness/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SettingsStore } from "./settings-store.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "store-")));
  mkdirSync(join(base, "project"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

let looks = 0;
const cwd = () => join(base, "project");
function open(trusted = () => false): SettingsStore {
  looks = 0;
  const inspect = () => {
    looks += 1;
    return { env: {}, problems: [] };
  };
  return new SettingsStore({
    configPaths: configPathsOf({ HARNESS_HOME: join(base, "home") }, base),
    cwd: cwd(),
    environment: { inspect, files: () => [join(base, "home/.env")] },
    stamps: new FileStamps(),
    isTrusted: trusted,
  });
}
function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), typeof content === "string" ? content : JSON.stringify(content));
}

/** Files are looked at once in each. */
const turnOfLoop = () => new Promise((done) => setImmediate(done));

describe("the settings of the gate", () => {
  it("have defaults where nothing is set", () => {
    expect(open().gate(cwd())).toEqual({
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
    const store = open(() => trusted);
    expect(store.gate(cwd())).toBe(store.gate(cwd()));
    store.live(cwd());
    expect(looks).toBe(1);
    put("project/.harness/settings.json", { denied_command_prefixes: ["rm"], additional_directories: ["/a"] });
    await turnOfLoop();
    expect(store.gate(cwd())).toMatchObject({ deniedCommandPrefixes: ["rm"], additionalDirectories: [] });
    trusted = true;
    await turnOfLoop();
    expect(store.gate(cwd()).additionalDirectories).toEqual(["/a"]);
    expect(looks).toBe(3);
  });

  it("let nothing run unasked when a file with restrictions cannot be read, and keep denying what was denied", async () => {
    put("home/settings.json", { denied_command_prefixes: ["git push"], permission_mode: "deny" });
    const store = open();
    store.gate(cwd());
    put("home/settings.json", '{ "denied_command_prefixes": [');
    await turnOfLoop();
    expect(store.gate(cwd())).toMatchObject({
      strict: true,
      autoAcceptSafeCommands: false,
      deniedCommandPrefixes: ["git push"],
      unreadable: [expect.stringContaining("is not valid JSON")],
    });
    expect(store.live(cwd()).values.permission_mode).toBe("deny");
    put("home/settings.json", {});
    await turnOfLoop();
    expect(store.gate(cwd())).toMatchObject({
      strict: false,
      autoAcceptSafeCommands: true,
      deniedCommandPrefixes: [],
    });
    expect(store.gate(cwd())).not.toHaveProperty("unreadable");
    expect(store.live(cwd()).values.permission_mode).toBe("default");
  });
});
