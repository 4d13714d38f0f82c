import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

const WHITE = "\u001b]11;rgb:ffff/ffff/ffff\u001b\\";

let server: ModelServer;
let place: TestHome;
beforeAll(async () => {
  // Without a model Home is about setting one up.
  server = await startModelServer({ scenario: { turns: [] } });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  place?.remove();
  await server?.close();
});

function open(more: Record<string, string> = {}): OpenTerminal {
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  const command = process.execPath;
  return openTerminal({ command, args: [harnessEntry], cwd: place.cwd, env: { ...env, HOME: HOME ?? "", ...more } });
}

/** The colours of the screen's texts. */
function colours(terminal: OpenTerminal): Set<string | undefined> {
  return new Set(
    terminal.screenModel.cells().flatMap((row) => row.filter(({ text }) => text.trim()).map(({ fg }) => fg)),
  );
}
const hasColour = (terminal: OpenTerminal, colour: string) => terminal.waitFor(() => colours(terminal).has(colour));

describe("the colours of the window", () => {
  it("follow the background of the terminal, then the theme that was chosen, which the next window has too", async () => {
    const first = open();
    await hasColour(first, "#8a8f98");
    expect(first.rawOutput).toContain("\u001b]11;?\u001b\\");
    first.type(WHITE);
    await hasColour(first, "#5f6570");
    expect(colours(first)).not.toContain("#8a8f98");
    first.type("/theme solarized-light\r");
    await first.waitFor("The theme is now solarized-light.");
    await first.waitFor(() => !colours(first).has("#5f6570"));
    await first.close();
    expect(readFileSync(join(place.home, "settings.json"), "utf8")).toContain('"theme": "solarized-light"');

    const next = open();
    await next.waitFor(() => colours(next).size > 1 && !colours(next).has("#8a8f98"));
    next.type("/theme solar\r");
    await next.waitFor(/There is no theme "solar"\. Did you mean solarized-dark or solarized-light\?/);
    await next.close();
  });
});

function copiedBy({ rawOutput }: OpenTerminal): string {
  const [, text = ""] = /\]52;c;([\w+/=]*)/.exec(rawOutput) ?? [];
  return Buffer.from(text, "base64").toString();
}

describe("the mouse in the window", () => {
  it("copies what it is dragged over", async () => {
    const terminal = open();
    await terminal.waitFor("No sessions in this folder yet.");
    const y = terminal.screen().findIndex((row) => row.includes("harness "));
    const x = terminal.screen()[y]?.indexOf("harness ") ?? 0;
    const mouse = (button: number, at: number, end: "M" | "m") =>
      terminal.type(`\u001b[<${button};${at + 1};${y + 1}${end}`);
    mouse(0, x, "M");
    mouse(32, x + 6, "M");
    await terminal.waitFor(() => terminal.screenModel.cells()[y]?.[x + 6]?.inverse === true);
    mouse(0, x + 6, "m");
    await terminal.waitFor("Copied 7 characters.");
    expect(copiedBy(terminal)).toBe("harness");
    terminal.type("x");
    await terminal.waitFor(() => terminal.screenModel.cells()[y]?.[x]?.inverse === false);
    await terminal.close();
  });

  it.each([
    ["scroll", "vt200"],
    ["off", "none"],
  ])("is left to the terminal where the setting is %s", async (HARNESS_MOUSE, mouse) => {
    const terminal = open({ HARNESS_MOUSE });
    await terminal.waitFor(() => terminal.screenModel.modes.mouse === mouse);
    await terminal.close();
  });

  it("puts the cursor into the text of the input", async () => {
    const terminal = open();
    await terminal.waitFor("No sessions in this folder yet.");
    terminal.type("one three");
    await terminal.waitFor("> one three");
    const y = terminal.screen().findIndex((row) => row.includes("> one three"));
    terminal.type(`\u001b[<0;7;${y + 1}M\u001b[<0;7;${y + 1}m`);
    await terminal.waitFor(() => terminal.screenModel.cursor.x === 6);
    terminal.type("two ");
    await terminal.waitFor("> one two three");
    await terminal.close();
  });
});
