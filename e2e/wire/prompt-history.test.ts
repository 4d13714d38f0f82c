// The user's messages as stored by two windows: two real server processes with one configuration folder.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

it("what is typed in one window is found in another at the same time, by folder and over all", async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
  const [one, other] = [await live.connect(), await live.connect()];
  const add = (client: typeof one.client, cwd: string, text: string) => client.call("prompts/add", { cwd, text });
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => [
      add(one.client, live.cwd, `one ${index}`),
      add(other.client, live.cwd, `other ${index}`),
    ]).flat(),
  );
  expect(await add(one.client, "/elsewhere", "far away")).toEqual({ kept: true });
  const here = (await other.client.call("prompts/list", { cwd: live.cwd })).prompts.map(({ text }) => text);
  expect(here.filter((text) => text.startsWith("one"))).toEqual(Array.from({ length: 20 }, (_, at) => `one ${at}`));
  expect(here.length).toBe(40);
  const all = await other.client.call("prompts/list", {});
  expect(all.prompts.at(-1)).toMatchObject({ cwd: "/elsewhere", text: "far away" });
  expect(all.problems).toEqual([]);
});

it("a key that harness knows never gets into the file", async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
  const key = "very-secret-value-0123456789";
  const { client } = await live.connect(undefined, { OUR_API_KEY: key });
  await client.call("prompts/add", { cwd: live.cwd, text: `log in with ${key}` });
  const path = join(live.home, "prompt-history.jsonl");
  expect(readFileSync(path, "utf8")).not.toContain(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
