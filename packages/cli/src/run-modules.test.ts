// What a run loads: each of Node's own modules costs the time that a person waits for the first word.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../test/harness-process.ts";

let server: ModelServer;
let place: TestHome;
let probe: string;
let list: string;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
  probe = join(place.root, "probe.cjs");
  list = join(place.root, "modules.txt");
  const write = `require("node:fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n"))`;
  writeFileSync(probe, `process.on("exit", () => ${write});`);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

describe("a run with one answer", () => {
  it("does not load Node's own HTTP client behind fetch", async () => {
    const env = { NODE_OPTIONS: `--require "${probe}"` };
    expect(await place.run(["run", "hi"], { env })).toMatchObject({ code: 0, stdout: "Hello.\n" });
    const modules = readFileSync(list, "utf8").split("\n");
    expect(modules).toContain("NativeModule internal/fs/utils");
    expect(modules.filter((name) => name.includes("undici/undici"))).toEqual([]);
  });
});
