import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;
let terminal: OpenTerminal | undefined;

beforeAll(async () => {
  server = await startModelServer({
    scenario: {
      lanes: [
        {
          match: "touch",
          perConversation: true,
          turns: [turns.call("bash", { command: "touch made" }), turns.say("Touched.")],
        },
      ],
      turns: [turns.say("Good morning.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
});
afterEach(() => terminal?.close());
afterAll(async () => {
  place.remove();
  await server.close();
});

/** A shell that prints where it is, then the window. */
function open(args: string, env: Record<string, string> = {}): OpenTerminal {
  const { PATH, HOME, ...own } = place.env as Record<string, string>;
  terminal = openTerminal({
    command: "/bin/sh",
    args: ["-c", `echo from the shell; "$NODE" "$ENTRY" ${args}; echo back in the shell`],
    cwd: place.cwd,
    env: { ...own, HOME: HOME ?? "", NODE: process.execPath, ENTRY: harnessEntry, ...env },
    rows: 20,
  });
  return terminal;
}

const count = (rows: readonly string[], text: string): number => rows.filter((row) => row.includes(text)).length;

describe("the inline window", () => {
  it("leaves the terminal its screen, its mouse and, once, every finished message", async () => {
    const opened = open("--inline");
    await opened.waitFor("Ask anything");
    expect(opened.screen()[0]).toBe("from the shell");
    for (const word of ["first", "second", "third", "fourth"]) {
      opened.type(`the ${word} message\r`);
      await opened.waitFor((rows) => {
        const at = rows.findIndex((row) => row.includes(`▌ the ${word}`));
        return at >= 0 && rows.slice(at).some((row) => row.includes("Good morning."));
      });
    }
    // The last turn is over.
    await opened.waitFor("Ask anything");
    const history = opened.screenModel.history();
    expect(history[0]).toBe("from the shell");
    for (const word of ["first", "second", "third", "fourth"]) expect(count(history, `▌ the ${word}`)).toBe(1);
    expect(count(history, "Good morning.")).toBe(4);
    expect(count(history, "Ask anything")).toBe(1);
    expect(opened.screenModel.alternate).toBe(false);
    expect(opened.rawOutput).not.toContain("?1049h");
    expect(opened.screenModel.modes.mouse).toBe("none");

    opened.resize(60, 16);
    await opened.waitFor((rows) => rows.some((row) => /^─{60}$/.test(row)));
    opened.resize(100, 20);
    await opened.waitFor((rows) => rows.some((row) => /^─{100}$/.test(row)));
    expect(count(opened.screenModel.history(), "Good morning.")).toBe(4);
    expect(count(opened.screenModel.history(), "Ask anything")).toBe(1);

    opened.type("/quit\r");
    await opened.waitFor("back in the shell");
    const rest = opened.screenModel.history();
    expect(count(rest, "Ask anything")).toBe(0);
    expect(count(rest, "Continue with: harness -r")).toBe(1);
    expect(opened.screenModel.modes).toMatchObject({ bracketedPaste: false, focusEvents: false, wraps: true });
  });

  it("asks for permission below the conversation, shows screens there, and leaves none of it behind", async () => {
    const opened = open("--inline");
    await opened.waitFor("Ask anything");
    opened.type("touch it\r");
    await opened.waitFor(/touch made[\s\S]*Yes, once/);
    opened.press("enter");
    await opened.waitFor("Touched.");
    opened.press("ctrl+c");
    opened.press("ctrl+s");
    await opened.waitFor("Settings");
    opened.press("escape");
    await opened.waitFor((rows) => !rows.some((row) => row.includes(" Settings ")));
    expect(count(opened.screenModel.history(), "Touched.")).toBe(1);
    expect(opened.screenModel.history().join("\n")).not.toContain("Yes, once");
  });

  it("is what the setting asks for, too", async () => {
    const opened = open("", { HARNESS_INLINE: "true" });
    await opened.waitFor((rows) => rows.some((row) => row.includes("Ask anything")) && rows[0] === "from the shell");
    expect(opened.rawOutput).not.toContain("?1049h");
    expect(opened.screenModel.alternate).toBe(false);
    opened.type("hello\r");
    await opened.waitFor("Good morning.");
    expect(opened.screenModel.modes.mouse).toBe("none");
  });
});
