import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bitmap, type ModelServer, startModelServer, type TurnInput, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterEach, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let place: TestHome;
let model: ModelServer;
afterEach(async () => {
  await model.close();
  place.remove();
});

/** The window in a terminal that reports these attributes. */
async function open(attributes: string, first: TurnInput[] = []) {
  place = new TestHome();
  model = await startModelServer({ scenario: { turns: [...first, turns.say("A picture.", { repeat: "always" })] } });
  writeFileSync(
    join(place.cwd, "shot.bmp"),
    bitmap(400, 200, () => 128),
  );
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  return openTerminal({
    command: process.execPath,
    args: [harnessEntry],
    cwd: place.cwd,
    env: { ...env, HOME: HOME ?? "", ...model.environment, HARNESS_MODEL: "scripted" },
    answer: (reply) => (/\[\?[\d;]*c$/.test(reply) ? attributes : reply),
  });
}

it.each([
  ["kitty", "\u001bP>|kitty(0.36.4)\u001b\\\u001b[6;20;10t\u001b[?62;c", "\u001b_Ga=T,U=1,f=100,q=2,i=33,"],
  ["iTerm2", "\u001bP>|iTerm2 3.5.10\u001b\\\u001b[?64;4c", "\u001b]1337;File=inline=1;"],
  ["a terminal with sixels", "\u001b[?62;4c", '\u001bP0;1;0q"1;1;'],
])("an image of a message is drawn by %s, scrolls, and leaves with the window", async (name, attributes, bytes) => {
  const terminal = await open(attributes);
  await terminal.waitFor("No sessions in this folder yet.");
  terminal.type("/image shot.bmp\r");
  await terminal.waitFor("image 1 shot.bmp");
  terminal.type("what is it\r");
  await terminal.waitFor(/\[image shot\.bmp, \d+×\d+, \d+ \w+\]/);
  await terminal.waitFor("A picture.");
  await terminal.waitFor(() => terminal.rawOutput.includes(bytes));
  if (name === "kitty") await terminal.waitFor((rows) => rows.some((row) => row.includes("\u{10eeee}")));
  terminal.press("pageup");
  terminal.press("ctrl+d");
  expect((await terminal.exit).code).toBe(0);
  const deletes = terminal.rawOutput.includes("\u001b_Ga=d,d=I,q=2,i=33\u001b\\");
  expect(deletes).toBe(name === "kitty");
  expect(JSON.stringify(model.chatRequests[0]?.body)).toContain("data:image/png;base64,");
});

it("an image that a tool has read is drawn, too", async () => {
  const attributes = "\u001bP>|kitty(0.36.4)\u001b\\\u001b[6;20;10t\u001b[?62;c";
  const terminal = await open(attributes, [turns.call("read", { path: "shot.bmp" })]);
  await terminal.waitFor("No sessions in this folder yet.");
  terminal.type("what is in shot.bmp\r");
  await terminal.waitFor((rows) => rows.some((row) => row.includes("\u{10eeee}")));
  terminal.press("ctrl+d");
  expect((await terminal.exit).code).toBe(0);
  expect(terminal.rawOutput).toContain("\u001b_Ga=T,U=1,f=100,q=2,i=33,");
});
