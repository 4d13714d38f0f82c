// Things of other programs are offered once, by the servers of one person together.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

function put(name: string, content: unknown): void {
  mkdirSync(join(live.home, name, ".."), { recursive: true });
  writeFileSync(join(live.home, name), JSON.stringify(content));
}

const offers = async () => {
  const { client } = await live.connect();
  const asked = async () => (await client.call("import/offer", {})).programs;
  return { client, asked };
};

it("offers once what is there, also at the first start, and no more after an answer", async () => {
  live = await LiveServer.start({ turns: [] });
  put(".config/tinyharness/settings.json", { show_thinking: true });
  const first = await offers();
  expect(await first.asked()).toEqual(["TinyHarness"]);
  expect(await first.asked()).toEqual(["TinyHarness"]);
  expect(await (await offers()).asked()).toEqual([]);
  expect((await first.client.call("settings/get", {})).problems.join()).not.toContain("harness import");
  const { version, answer } = await first.client.call("import/list", {});
  expect(answer).toBeUndefined();
  await first.client.call("import/decline", {});
  expect(await first.asked()).toEqual([]);
  expect((await first.client.call("import/list", {})).answer).toBe("declined");
  // Nothing is taken over that was not listed.
  put(".config/tinyharness/settings.json", { show_thinking: true, context_limit: 9_000 });
  await expect(first.client.call("import/take", { version })).rejects.toMatchObject({ kind: "conflict" });
  const { version: current } = await first.client.call("import/list", {});
  const { taken, problems: none } = await first.client.call("import/take", { version: current });
  expect([taken.map(({ becomes }) => becomes), none]).toEqual([["show_thinking = true", "context_limit = 9000"], []]);
  expect((await first.client.call("import/list", {})).answer).toBe("taken");
});

it("a session file that has nothing to come is named once, and not listed again", async () => {
  live = await LiveServer.start({ turns: [] });
  put(".local/share/tinyharness/sessions/empty.jsonl", "");
  const { client } = await offers();
  const { items, version } = await client.call("import/list", {});
  expect(items).toMatchObject([{ program: "TinyHarness", becomes: "1 session here" }]);
  const { taken, problems } = await client.call("import/take", { version });
  expect(taken).toEqual([]);
  expect(problems).toHaveLength(1);
  expect((await client.call("import/list", {})).items).toEqual([]);
});
