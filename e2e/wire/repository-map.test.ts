// The map of an indexed folder in the system text, as a model gets it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ChangingServer, type Seen } from "../support/changing-server.ts";

let server: ChangingServer;
const system = ({ bodies }: Seen) => JSON.stringify(Object(bodies[0]?.messages)[0]);
beforeAll(async () => {
  server = await ChangingServer.start();
  await server.set({ provider: "openai", model: "scripted", permission_mode: "allow-all", ...server.addresses });
});
afterAll(() => server?.close());

it("a request carries the map; it stays the same while files change and are indexed", async () => {
  await server.set({ context_limit: 128_000 });
  const { client, live } = server;
  const sessionId = await server.open();
  const first = system(await server.look(sessionId, undefined));
  expect(first).toContain(String.raw`\nsrc/store.ts: openStore"`);
  writeFileSync(
    join(live.cwd, "src/later.ts"),
    "import { openStore } from './store';\nexport function laterThing() {\n  return openStore();\n}\n",
  );
  const edit = turns.call("write", {
    path: "src/user.ts",
    content: "import { laterThing } from './later';\nlaterThing;\n",
  });
  await server.look(sessionId, [edit, turns.say("end")]);
  await client.call("index/refresh", { cwd: live.cwd });
  expect(system(await server.look(sessionId, undefined))).toBe(first);
  const { sections } = await client.call("session/context", { sessionId });
  expect(sections).toContainEqual({
    section: "repository_map",
    tokens: expect.any(Number),
    items: [{ name: "1 file", tokens: expect.any(Number) }],
  });
  // The next session has what is there by then.
  expect(system(await server.look(await server.open(), undefined))).toContain(String.raw`\nsrc/later.ts: laterThing\n`);
});

it.each([
  ["a small window", { context_limit: 16_384 }, "nothing"],
  ["a small window and the setting", { context_limit: 16_384, repository_map: "on" }, "a map"],
  ["a large window and the setting", { context_limit: 128_000, repository_map: "off" }, "nothing"],
] as const)("%s", async (_, values, expected) => {
  await server.set(values);
  const text = system(await server.look(await server.open(), undefined));
  expect(String(text).includes("src/store.ts: openStore") ? "a map" : "nothing").toBe(expected);
});

it("a folder without an index has none", async () => {
  await server.set({ context_limit: 128_000, repository_map: "on" });
  expect(system(await server.look(await server.open(true), undefined))).not.toContain("Main files");
});
