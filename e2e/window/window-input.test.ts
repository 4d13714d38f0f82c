// The input of the window as a terminal drives it: a real window, a real server, a scripted model, a real editor.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { leftBehind, type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let place: TestHome;
let model: ModelServer;
const terminals: OpenTerminal[] = [];

beforeAll(async () => {
  model = await startModelServer({ scenario: { turns: [turns.say("Understood.", { repeat: "always" })] } });
  place = new TestHome({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "test-key" });
});
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close();
  rmSync(join(place.home, "settings.json"), { force: true });
});
afterAll(async () => {
  place?.remove();
  await model?.close();
});

function start(more: Record<string, string> = {}, cwd = place.cwd): OpenTerminal {
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  const terminal = openTerminal({
    command: process.execPath,
    args: [harnessEntry],
    cwd,
    env: { ...env, HOME: HOME ?? "", ...more },
  });
  terminals.push(terminal);
  return terminal;
}

async function open(more: Record<string, string> = {}, cwd = place.cwd): Promise<OpenTerminal> {
  const terminal = start(more, cwd);
  await terminal.waitFor("scripted-model");
  return terminal;
}

/** The conversation is in view, with an answer in it. Home shows answers of earlier sessions, too. */
function answered(rows: readonly string[]): boolean {
  return rows.some((row) => row.startsWith("▌")) && rows.some((row) => row.includes("Understood."));
}

/** The text of the last user message that the model got. */
function lastSent(): string {
  const body = model.chatRequests.at(-1)?.body as { messages: { role: string; content: unknown }[] } | undefined;
  const last = body?.messages.findLast(({ role }) => role === "user")?.content;
  return typeof last === "string" ? last : JSON.stringify(last);
}

it("what was typed in one window comes back in the next, and another folder finds it with Ctrl+R", async () => {
  const first = await open();
  first.type("mend the frobnicator\r");
  await first.waitFor(answered);
  const here = await open();
  here.press("ctrl+p");
  await here.waitFor("> mend the frobnicator");

  const other = join(place.root, "other");
  mkdirSync(other);
  const there = await open({}, other);
  there.press("ctrl+p");
  there.press("ctrl+r");
  there.type("frbn");
  await there.waitFor(/› mend the frobnicator +project/);
  there.type("\r");
  await there.waitFor("> mend the frobnicator");
  expect(statSync(join(place.home, "prompt-history.jsonl")).mode & 0o777).toBe(0o600);
});

it("what was typed before the window was there is sent by its Enter", async () => {
  const terminal = start();
  terminal.type("before the window\r");
  await terminal.waitFor(answered);
  expect(lastSent()).toContain("before the window");
});

it("the terminal's echo of what was typed before the window was there is gone when it is left", async () => {
  const terminal = start();
  terminal.type("typed early");
  await terminal.waitFor("> typed early");
  terminal.type("\r");
  await terminal.waitFor(answered);
  terminal.type("/exit\r");
  await terminal.exit;
  const rows = terminal.screen();
  expect(rows.find((row) => row.includes("Continue with:"))).toMatch(/^Session /);
});

it("the editor gets the terminal and the text, and what it saves is in the input; Ctrl+C in it does not end the window", async () => {
  const editor = join(place.root, "editor.sh");
  // It waits for a key like an editor, and then for an interrupt that the terminal also sends to the window.
  writeFileSync(
    editor,
    'trap "printf interrupted >> \\"$1\\"; exit 0" INT\necho "editing: $(cat "$1")"\nread -r line\nprintf %s "$line" > "$1"\necho ready; while :; do sleep 0.05; done\n',
  );
  const folder = join(place.root, "tmp");
  mkdirSync(folder, { recursive: true });
  const terminal = await open({ TMPDIR: folder, VISUAL: `sh ${editor.replaceAll(" ", "\\ ")}` });
  terminal.type("a draft");
  await terminal.waitFor("> a draft");
  terminal.press("ctrl+g");
  await terminal.waitFor("editing: a draft");
  expect(leftBehind(terminal.rawOutput)).toEqual([]);
  terminal.type("from the editor:\n");
  await terminal.waitFor("ready");
  terminal.type("\u0003");
  await terminal.waitFor("> from the editor:interrupted");
  expect(terminal.screenModel.alternate).toBe(true);
  await terminal.waitFor(() => leftBehind(terminal.rawOutput).includes("title: project · harness"));
  // The server may have files of its own there.
  expect(readdirSync(folder).filter((name) => name.startsWith("harness-message-"))).toEqual([]);
  terminal.press("ctrl+g");
  await terminal.waitFor("editing: from the editor:interrupted");
});

it("the editor of the settings comes before that of the environment, also when it is set while the window is open", async () => {
  const settings = join(place.home, "settings.json");
  mkdirSync(place.home, { recursive: true });
  const terminal = await open({ VISUAL: "sed -i s/draft/visual/" });
  terminal.type("a draft");
  terminal.press("ctrl+g");
  await terminal.waitFor("> a visual");
  terminal.type("\u0015/settings editor\r");
  await terminal.waitFor("Editing keys");
  writeFileSync(settings, '{"editor": "sed -i s/draft/setting/"}');
  await terminal.waitFor("sed -i s/draft/setting/");
  // The first one clears the filter.
  terminal.press("escape");
  await terminal.waitFor("Esc back");
  terminal.press("escape");
  await terminal.waitFor("Ask anything");
  terminal.type("a draft");
  await terminal.waitFor("> a draft");
  terminal.press("ctrl+g");
  await terminal.waitFor("> a setting");
});

it("an editor that does not exist, or that fails, leaves the text alone and is named", async () => {
  const terminal = await open({ VISUAL: "no-such-editor --wait" });
  terminal.type("a draft");
  terminal.press("ctrl+g");
  await terminal.waitFor('The editor "no-such-editor --wait" could not be started.');
  await terminal.waitFor("> a draft");
});

it("a paste of 10 MB is in the input at once; what is too long for a message is refused and stays, 5 MB are sent", async () => {
  const terminal = await open();
  const line = `${"x".repeat(99)}\n`;
  terminal.type(`\u001b[200~${line.repeat(100_000)}the end\u001b[201~`);
  await terminal.waitFor("[pasted 100001 lines]");
  terminal.type(" please\r");
  await terminal.waitFor("Not sent: The message has more than 8 MB of text.");
  await terminal.waitFor("> [pasted 100001 lines]");
  terminal.type("\u007f");
  await terminal.waitFor((rows) => !rows.some((row) => row.includes("pasted")));
  terminal.type(`\u001b[200~${line.repeat(50_000)}the end\u001b[201~`);
  terminal.type(" please\r");
  await terminal.waitFor(answered);
  // The model gets the beginning and end of a text that is too long for it; the rest is a file for the agent.
  expect(lastSent()).toContain("the end please");
}, 120_000);

it("a marked paste and Enter in one read are sent; a line that is typed after them is the next message", async () => {
  const terminal = await open();
  terminal.type("\u001b[200~two\rlines\u001b[201~\r");
  await terminal.waitFor(answered);
  expect(lastSent()).toContain("two\nlines");
  terminal.type("next\r");
  await terminal.waitFor((rows) => rows.filter((row) => row.includes("Understood.")).length === 2);
  expect(lastSent()).toContain("next");
});
