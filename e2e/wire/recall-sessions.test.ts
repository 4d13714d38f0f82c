// Agents that look into other sessions, over a real server process.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const recall = turns.call("recall", { query: "durian", sessions: "others" });

/** Sessions that say something about durians: of this folder, of another folder, archived, deleted. */
async function start(setting?: "off" | "on", asked: Permission[] = []) {
  live = await LiveServer.start({
    turns: [...["ok", "ok", "ok", "ok"].map((text) => turns.say(text)), recall, turns.say("found")],
  });
  const other = join(live.root, "other");
  for (const each of [live.cwd, live.home, other]) mkdirSync(each, { recursive: true });
  if (setting) writeFileSync(join(live.home, "settings.json"), JSON.stringify({ recall_sessions: setting }));
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    return { outcome: "selected", optionId: "allow_once" };
  });
  const prompt = async (text: string, cwd = live.cwd) => {
    const { sessionId } = (await client.call("session/new", { cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: `p ${text}`, prompt: say(text) });
    await live.until(
      ({ sessionId: of, update }) =>
        of === sessionId && update.sessionUpdate === "state_update" && update.state === "idle",
    );
    return sessionId;
  };
  const here = await prompt("the first durian");
  const elsewhere = await prompt("the second durian", other);
  const archived = await prompt("the third durian");
  await client.call("session/archive", { sessionId: archived, archived: true });
  const deleted = await prompt("the fourth durian");
  await client.call("session/delete", { sessionId: deleted });
  await prompt("look for it");
  return { here, hidden: [elsewhere, archived, deleted] };
}

it("an agent finds what was said in other sessions of the folder, once the person has said yes", async () => {
  const asked: Permission[] = [];
  const { here, hidden } = await start(undefined, asked);
  expect(asked).toMatchObject([{ title: "recall in other sessions: durian" }]);
  const sent = JSON.stringify(live.model.chatRequests.at(-1)?.body);
  expect(sent).toContain("the first durian");
  expect(sent).toContain(here);
  for (const each of hidden) expect(sent).not.toContain(each);
});

it("an agent is offered it from the start, and nobody is asked, where the setting allows it", async () => {
  const asked: Permission[] = [];
  const { here } = await start("on", asked);
  expect(asked).toEqual([]);
  expect(JSON.stringify(live.model.chatRequests[0]?.body)).toContain('"recall"');
  expect(JSON.stringify(live.model.chatRequests.at(-1)?.body)).toContain(here);
});

it("an agent finds nothing of other sessions where the setting is off", async () => {
  const { here } = await start("off");
  const sent = JSON.stringify(live.model.chatRequests.at(-1)?.body);
  expect(sent).not.toContain(here);
  expect(sent).toContain("No match for durian in this session");
});
