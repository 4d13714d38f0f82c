// The command that checks edits, with compilers as people have them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangingServer } from "../support/changing-server.ts";

const tsc = resolve(import.meta.dirname, "../../node_modules/.bin/tsc");
const cargo = [...(process.env.PATH ?? "").split(delimiter), join(homedir(), ".cargo/bin")]
  .map((folder) => join(folder, "cargo"))
  .find((file) => existsSync(file) && spawnSync(file, ["--version"]).status === 0);

let server: ChangingServer;
beforeAll(async () => {
  server = await ChangingServer.start();
  writeFileSync(join(server.live.home, "lsp.json"), JSON.stringify({ typescript: { enabled: false } }));
  await server.set({ provider: "openai", model: "scripted", permission_mode: "allow-all", ...server.addresses });
  await server.set({ check_command_wait_ms: 60_000, language_server_folders: [server.live.cwd] });
});
afterAll(() => server?.close());

const write = (name: string, content: string) => turns.call("write", { file_path: name, content });
const read = (name: string) => turns.call("read", { file_path: name });
const put = (name: string, text: string) => writeFileSync(join(server.live.cwd, name), text);
const command = (name: string) =>
  server.client.call("command/run", { cwd: server.live.cwd, name, args: "" }).then(({ text }) => text);
const outcomesOf = async (...calls: ReturnType<typeof write>[]) =>
  (await server.look(await server.open(), [...calls, turns.say("end")])).outcomes.map(({ text }) => text);

describe("check_command", () => {
  it("tsc: what an edit breaks in another file is in its result, in the list and the display until it is repaired", async () => {
    await server.set({ check_command: `'${tsc}' --noEmit -p tsc` });
    mkdirSync(join(server.live.cwd, "tsc"));
    put("tsc/tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, module: "nodenext" } }));
    put("tsc/price.ts", "export const price: number = 1;\n");
    put(
      "tsc/shop.ts",
      'import { price } from "./price.js";\nexport const old: string = 1;\nexport const n: number = price;\n',
    );
    const [, wrong, right] = await outcomesOf(
      read("tsc/price.ts"),
      write("tsc/price.ts", 'export const price = "1";\n'),
      write("tsc/price.ts", "export const price = 2;\n"),
    );
    expect(wrong).toContain("tsc/shop.ts:3:14: error TS2322: Type 'string' is not assignable to type 'number'.");
    expect(wrong).not.toContain("shop.ts:2");
    expect(right).toContain("Diagnostics after these edits: No new errors (");
    expect(await command("diagnostics")).toMatch(
      /shop\.ts:2:14: error TS2322.*\n.*tsc' --noEmit -p tsc` \(command\): 1 error/,
    );
    const sessionId = await server.open();
    expect((await server.client.call("hud/get", { sessionId })).diagnostics).toEqual({ errors: 1, warnings: 0 });
  });

  it.skipIf(cargo === undefined)("cargo check: the same", async () => {
    // Its toolchain is in the real home.
    const homes = `RUSTUP_HOME='${join(homedir(), ".rustup")}' CARGO_HOME='${join(homedir(), ".cargo")}'`;
    await server.set({ check_command: `cd crate && ${homes} '${cargo}' check --offline --quiet` });
    mkdirSync(join(server.live.cwd, "crate/src"), { recursive: true });
    put("crate/Cargo.toml", '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n');
    put("crate/src/main.rs", "fn main() {}\n");
    const [, wrong, right] = await outcomesOf(
      read("crate/src/main.rs"),
      write("crate/src/main.rs", 'fn main() {\n    let n: i32 = "";\n}\n'),
      write("crate/src/main.rs", "fn main() {\n    let _n: i32 = 1;\n}\n"),
    );
    expect(wrong).toMatch(/1 new error after these edits[\s\S]*src\/main\.rs:2:18: error E0308: mismatched types/);
    expect(right).toContain("Diagnostics after these edits: No new errors (");
  });

  it("a project's own settings run nothing before the folder is trusted", async () => {
    await server.set({ check_command: "", language_server_folders: [] });
    mkdirSync(join(server.live.cwd, ".harness"), { recursive: true });
    put(".harness/settings.json", JSON.stringify({ check_command: "touch planted" }));
    const [text] = await outcomesOf(write("notes.zig", "one\n"));
    expect(text).not.toContain("Diagnostics");
    expect(existsSync(join(server.live.cwd, "planted"))).toBe(false);
  });

  it("one's own command does not run the code of a folder that is not trusted, and that is said", async () => {
    await server.set({ check_command: "cat *.zig > ran" });
    const [text] = await outcomesOf(write("two.zig", "two\n"));
    expect(text).toContain(
      "Not checked: two.zig (`cat *.zig > ran` is not run: it may run code of this folder, which is not trusted (/diagnostics allow lets it run)).",
    );
    expect(existsSync(join(server.live.cwd, "ran"))).toBe(false);
    await server.set({ language_server_folders: [server.live.cwd] });
    await outcomesOf(write("three.zig", "three\n"));
    expect(readFileSync(join(server.live.cwd, "ran"), "utf8")).toBe("one\nthree\ntwo\n");
  });
});
