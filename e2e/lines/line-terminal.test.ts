import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

const [CTRL_C, CTRL_D, BACKSPACE] = ["\u0003", "\u0004", "\u007f"];

let server: ModelServer;
let place: TestHome;
let terminal: OpenTerminal;
beforeEach(async () => {
  const lane = (match: string, ...replies: ReturnType<typeof turns.say>[]) => ({ match, turns: replies });
  const call = (command: string) => turns.call("bash", { command });
  server = await startModelServer({
    scenario: {
      lanes: [
        lane("slowly", call("touch begun && sleep 600"), turns.say("Never.")),
        lane("touch", call("touch made"), turns.say("Done now.")),
      ],
      turns: [turns.say("Hello.\nSecond line.", { repeat: "always" })],
    },
  });
});
afterEach(async () => {
  await terminal?.close();
  await server.close();
  place.remove();
});

function open(args: readonly string[], env: Record<string, string> = {}): void {
  place = new TestHome(server.environment);
  const { PATH, HOME, ...own } = place.env as Record<string, string>;
  terminal = openTerminal({
    // The terminal of the test sets TERM itself.
    command: "/usr/bin/env",
    args: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), process.execPath, harnessEntry, ...args],
    cwd: place.cwd,
    env: { ...own, PATH: PATH ?? "", HOME: HOME ?? "" },
  });
}

const prompts = (count: number) => (rows: readonly string[]) =>
  rows.filter((row) => row.startsWith(">>>")).length === count;
const heard = () => JSON.stringify(server.chatRequests.at(-1)?.body);

describe.each([
  ["a dumb terminal", { TERM: "dumb" }],
  ["a screen reader", { ACCESSIBLE: "1" }],
])("on %s", (_name, env: Record<string, string>) => {
  it("nothing but lines is written, each of them once, and the terminal's own keys edit them", async () => {
    open([], env);
    await terminal.waitFor(">>>");
    terminal.type(`touxx${BACKSPACE}${BACKSPACE}ch\r`);
    await terminal.waitFor("Permission needed");
    await terminal.waitFor("answer>");
    terminal.type("y\r");
    await terminal.waitFor("Done now.");
    await terminal.waitFor(prompts(2));
    const output = terminal.rawOutput;
    expect(output).not.toContain("\u001b");
    // A lone carriage return would overwrite a row.
    expect(output.replaceAll("\r\n", "\n")).not.toContain("\r");
    expect(output.match(/Permission needed/g)).toHaveLength(1);
    expect(output.match(/● bash touch made/g)).toHaveLength(1);
    expect(existsSync(join(place.cwd, "made"))).toBe(true);
  });

  it("lines that are pasted are one message", async () => {
    open([], env);
    await terminal.waitFor(">>>");
    terminal.type("first\rsecond\r");
    await terminal.waitFor("Second line.");
    expect(heard()).toContain("first\\nsecond");
  });
});

describe("on a terminal that can do more", () => {
  it("a paste is one message with what is typed behind it, and a fence goes on in the next line", async () => {
    open(["--line"]);
    await terminal.waitFor(">>>");
    terminal.type("\u001b[200~first\rsecond\r\u001b[201~");
    await terminal.waitFor("second");
    terminal.type("third\r");
    await terminal.waitFor("Second line.");
    expect(heard()).toContain("first\\nsecond\\nthird");
    await terminal.waitFor(prompts(2));
    terminal.type("see ```\r");
    await terminal.waitFor("...");
    terminal.type("code```\r");
    await terminal.waitFor(prompts(3));
    expect(heard()).toContain("see ```\\ncode```");
  });

  it("/edit has a message written in the editor, and sends it when the person says so", async () => {
    open(["--line"], { EDITOR: "sed -i s/draft/text/" });
    await terminal.waitFor(">>>");
    terminal.type("/edit a draft\r");
    await terminal.waitFor("y  Send it");
    terminal.type("y\r");
    await terminal.waitFor("Second line.");
    expect(heard()).toContain("a text");
  });

  it("Ctrl+C in the editor is the editor's", async () => {
    const script = 'trap "echo interrupted >> \\"$1\\"; exit 0" INT; echo ready; while :; do sleep 0.05; done';
    open(["--line"], { EDITOR: `exec sh -c '${script}' sh` });
    await terminal.waitFor(">>>");
    terminal.type("/edit a draft\r");
    await terminal.waitFor("ready");
    terminal.type("\u0003");
    await terminal.waitFor("y  Send it");
    expect(terminal.rawOutput).not.toContain("Press Ctrl+C again");
  });

  it("/edit opens the editor of the settings before that of the environment, as it is now", async () => {
    open(["--line"], { VISUAL: "sed -i s/draft/visual/" });
    await terminal.waitFor(">>>");
    terminal.type("/settings editor sed -i s/draft/setting/\r");
    await terminal.waitFor("editor is now");
    terminal.type("/edit a draft\r");
    await terminal.waitFor("y  Send it");
    terminal.type("y\r");
    await terminal.waitFor("Second line.");
    expect(heard()).toContain("a setting");
    await terminal.waitFor(prompts(3));
    terminal.type("/settings editor no-such-editor\r");
    await terminal.waitFor("editor is now no-such-editor");
    terminal.type("/edit a draft\r");
    await terminal.waitFor("Change `editor` in the settings.");
  });

  it("Tab completes commands, one's own too, and is a tab elsewhere", async () => {
    open(["--line"]);
    const folder = join(place.home, "commands");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "deploy.md"), "Deploy it.\n");
    await terminal.waitFor(">>>");
    terminal.type("/depl\t");
    await terminal.waitFor(">>> /deploy");
    terminal.type("now\r");
    await terminal.waitFor("Second line.");
    expect(heard()).toContain("Deploy it.");
    await terminal.waitFor(prompts(2));
    terminal.type("/hist\t");
    await terminal.waitFor(">>> /history");
    terminal.type("\u0015a");
    await terminal.waitFor(/>>> a$/m);
    terminal.type("\t");
    terminal.type("b\u001b[200~\tc\td\u001b[201~\r");
    await terminal.waitFor(prompts(3));
    expect(heard()).toContain("a\\tb\\tc\\td");
  });

  it("/copy asks the terminal to", async () => {
    open(["--line"]);
    await terminal.waitFor(">>>");
    terminal.type("hi\r");
    await terminal.waitFor(prompts(2));
    terminal.type("/copy\r");
    await terminal.waitFor("Copied 2 lines.");
    expect(terminal.rawOutput).toContain(`\u001b]52;c;${Buffer.from("Hello.\nSecond line.").toString("base64")}`);
  });
});

describe.each([
  ["edited here", {}],
  ["edited by the terminal", { TERM: "dumb" }],
])("while a turn runs, with lines %s,", (_name, env: Record<string, string>) => {
  async function begun(): Promise<void> {
    open(["repl", "--permission-mode", "allow-all"], env);
    await terminal.waitFor(">>>");
    terminal.type("slowly\r");
    await terminal.waitFor("● bash touch begun");
  }

  it("Ctrl+C stops it, and the second one leaves", async () => {
    await begun();
    terminal.type(CTRL_C);
    await terminal.waitFor("Stopping… Press Ctrl+C again to leave.");
    terminal.type(CTRL_C);
    expect(await terminal.exit).toMatchObject({ code: 130 });
  });

  it("Ctrl+C stops it and harness stays", async () => {
    await begun();
    terminal.type(CTRL_C);
    await terminal.waitFor("The turn was cancelled.");
    await terminal.waitFor(prompts(2));
    terminal.type(CTRL_D);
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });

  it("a terminal that is closed ends it as its signal does", async () => {
    await begun();
    terminal.hangUp();
    expect(await terminal.exit).toMatchObject({ code: 129 });
  });

  it("Ctrl+D leaves", async () => {
    await begun();
    terminal.type(CTRL_D);
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});
