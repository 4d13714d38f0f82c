import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("The cellar.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  place.remove();
  await server.close();
});

it("harness session fsck says what is wrong, leaves it, and copies what can be read", async () => {
  const fsck = (...args: string[]) => runInProcess(place, ["session", "fsck", ...args]);
  await place.run(["run", "where is the wine?"]);
  const { stdout: listed } = await runInProcess(place, ["sessions", "--json"]);
  const { sessionId } = JSON.parse(listed).sessions[0] as { sessionId: string };
  expect(await fsck(sessionId)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^\S+: \d+ entries can be read, and nothing is wrong\.\n1 session checked: nothing is lost\.\n$/,
    ),
  });
  const { stdout: folder } = await runInProcess(place, ["session", "dir", sessionId]);
  const log = join(folder.trim(), "log.jsonl");
  const whole = readFileSync(log, "utf8");
  writeFileSync(log, whole.replace("The cellar.", "The garden."));
  const { code, stdout, stderr } = await fsck("--all");
  expect(code).toBe(1);
  expect(stdout).toMatch(/log\.jsonl:\d+\n {4}Its checksum is wrong/);
  expect(stdout).toMatch(/Entry \d+ is in no log\.\n1 session checked: 1 damaged\.\n$/);
  expect(stderr).toContain("--repair makes a copy");
  const repaired = await fsck(sessionId, "--repair", "--json");
  expect(repaired.code).toBe(1);
  const { copies } = JSON.parse(repaired.stdout) as { copies: { of: string; sessionId: string }[] };
  expect(copies).toMatchObject([{ of: sessionId }]);
  expect(readFileSync(log, "utf8")).toContain("The garden.");
  const copy = copies[0]?.sessionId ?? "";
  const { sessions } = JSON.parse((await runInProcess(place, ["sessions", "--json"])).stdout);
  expect(sessions[0]).toMatchObject({ sessionId: copy, title: "where is the wine? (repaired)" });
  expect((await fsck(copy)).code).toBe(0);
  expect(await place.run(["run", "-r", copy, "and now?"])).toMatchObject({ code: 0, stdout: "The cellar.\n" });
  expect((await fsck()).stderr).toContain("harness session fsck ID, or --all");
});
