// Secrets for the providers of a trusted folder, granted in a shell, in line mode, or not at all: real servers and terminals.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";
import { runInProcess } from "../../packages/cli/test/in-process.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome({ HARNESS_MODEL: "", CORP_TOKEN: "corp-secret", OTHER_KEY: "other-secret" });
});
afterAll(() => place?.remove());

let count = 0;
/** A clone with providers that print what they got. */
function clone(...providers: string[]): string {
  count += 1;
  const cwd = join(place.root, `clone-${count}`);
  const put = (path: string, content: string, mode = 0o644) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content, { mode });
  };
  put(".git/HEAD", "ref: refs/heads/main\n");
  const reply = '{"choices":[{"message":{"content":"got <%s> <%s>"},"finish_reason":"stop"}]}';
  for (const name of providers) {
    const script = `#!/bin/sh
case "$1" in
--describe) echo ${name} ;;
--defaults) printf 'model=m\\n' ;;
--env) printf 'CORP_TOKEN\\nOTHER_KEY\\n' ;;
--ready) ;;
--stream) cat > /dev/null; printf '${reply}\\n' "$CORP_TOKEN" "$OTHER_KEY" ;;
esac
`;
    put(`.harness/providers/${name}`, script, 0o755);
  }
  return cwd;
}

const run = (cwd: string, ...args: string[]) => runInProcess(place, args, cwd);
const hashOf = async (cwd: string): Promise<string> => JSON.parse((await run(cwd, "trust", "--json")).stdout).hash;
const answer = async (cwd: string, provider = "corp") =>
  (await place.run(["run", "--provider", provider, "hello"], { cwd })).stdout.trim();
const trusted = async (...providers: string[]): Promise<string> => {
  const cwd = clone(...providers);
  await run(cwd, "trust", "--yes", await hashOf(cwd));
  return cwd;
};

describe.concurrent("harness trust, of secrets", () => {
  it("says before what a program names, and after the trust what it asks for and how to grant it", async () => {
    const cwd = clone("corp");
    const list = await run(cwd, "trust", "--list");
    expect(list.stdout).toContain("its text names CORP_TOKEN, OTHER_KEY: it gets no secret that you do not grant");
    const { code, stdout, stderr } = await run(cwd, "trust", "--yes", await hashOf(cwd));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^corp +CORP_TOKEN +set +not decided: not granted +\.harness\/providers\/corp/m);
    expect(stderr).toContain("To grant them: harness trust --provider corp --grant CORP_TOKEN --grant OTHER_KEY");
    expect(await answer(cwd)).toBe("got <> <>");
  });

  it("grants by name, takes back by name, and does both with the trust", async () => {
    const cwd = clone("corp");
    const first = await run(cwd, "trust", "--yes", await hashOf(cwd), "--grant", "CORP_TOKEN");
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("The provider corp gets CORP_TOKEN.")]);
    expect(await answer(cwd)).toBe("got <corp-secret> <>");
    const second = await run(cwd, "trust", "--grant", "OTHER_KEY", "--revoke", "CORP_TOKEN");
    expect(second.stdout).toContain("The provider corp gets OTHER_KEY.");
    expect(await answer(cwd)).toBe("got <> <other-secret>");
    const { stdout } = await run(cwd, "trust", "--list");
    expect(stdout).toMatch(/^corp +CORP_TOKEN +set +not granted .*\n+corp +OTHER_KEY +set +granted/m);
    expect((await run(cwd, "trust", "--revoke", "OTHER_KEY")).stdout).toContain("corp gets none of the secrets");
    expect(await answer(cwd)).toBe("got <> <>");
  });

  it("grants to the one of two providers that is named", async () => {
    const cwd = await trusted("corp", "other");
    const unclear = await run(cwd, "trust", "--grant", "CORP_TOKEN");
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining("say which one with --provider")]);
    await run(cwd, "trust", "--provider", "other", "--grant", "CORP_TOKEN");
    expect(await answer(cwd, "other")).toBe("got <corp-secret> <>");
    expect(await answer(cwd, "corp")).toBe("got <> <>");
  });

  it.each([
    [["--grant", "NOPE"], 'No provider of this folder asks for "NOPE". They ask for CORP_TOKEN and OTHER_KEY.'],
    [["--provider", "x", "--grant", "CORP_TOKEN"], 'No trusted provider "x" of this folder asks for secrets.'],
    [["--list", "--grant", "CORP_TOKEN"], "--grant and --list cannot be combined"],
    [["--forget", "--revoke", "CORP_TOKEN"], "--revoke and --forget cannot be combined"],
  ])("refuses %j with a message", async (args, words) => {
    const { code, stderr } = await run(await trusted("corp"), "trust", ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it("grants nothing in a folder that is not trusted", async () => {
    const cwd = clone("corp");
    const { code, stderr } = await run(cwd, "trust", "--grant", "CORP_TOKEN");
    expect([code, stderr]).toEqual([2, expect.stringContaining("harness trust --yes ")]);
    const trusting = await place.run(["run", "--trust", "--provider", "corp", "hello"], { cwd });
    expect(trusting.stdout).toBe("got <> <>\n");
  });
});

describe.concurrent("in a terminal", () => {
  const open = (cwd: string, ...args: string[]) => {
    const { PATH, ...env } = place.env as Record<string, string>;
    const shown = { ...env, PATH: PATH ?? "", OLLAMA_HOST: ":1" };
    return openTerminal({
      command: process.execPath,
      args: [harnessEntry, ...args],
      cwd,
      env: shown,
      cols: 120,
      rows: 40,
    });
  };

  it.each([
    ["y", "got <corp-secret> <other-secret>"],
    ["n", "got <> <>"],
    ["", "got <> <>"],
  ])("harness trust asks which secrets a provider gets: %j", async (key, words) => {
    const cwd = clone("corp");
    const terminal = open(cwd, "trust");
    const answered = async (question: string, given: string) => {
      await terminal.waitFor(question);
      terminal.type(given);
      await terminal.waitFor(`${question} ${given}`.trim());
      terminal.type("\r");
    };
    await answered("until it changes? (y/N)", "y");
    await answered("Grant the provider corp CORP_TOKEN and OTHER_KEY? (y/N)", key);
    expect((await terminal.exit).code).toBe(0);
    expect(await answer(cwd)).toBe(words);
  });

  it("line mode asks, and grants what was answered", async () => {
    const cwd = await trusted("corp");
    const terminal = open(cwd, "repl", "--provider", "corp");
    await terminal.waitFor("Grant the provider corp CORP_TOKEN and OTHER_KEY?");
    terminal.type("maybe\r");
    await terminal.waitFor("nothing has been decided");
    terminal.type("y\r");
    await terminal.waitFor("Granted.");
    await terminal.close();
    expect(await answer(cwd)).toBe("got <corp-secret> <other-secret>");
  });

  it("the window asks before the first message, and the message is sent then", async () => {
    const cwd = clone("corp");
    const terminal = open(cwd, "--provider", "corp");
    await terminal.waitFor("Trust this folder?");
    await terminal.waitFor("Trust exactly this content");
    terminal.type("t");
    await terminal.waitFor("› t");
    terminal.type("\r");
    await terminal.waitFor("Grant secrets to a provider of this folder?");
    await terminal.waitFor("CORP_TOKEN  set");
    await terminal.waitFor("g  Grant it these secrets");
    terminal.type("g");
    await terminal.waitFor("› g");
    terminal.type("\r");
    await terminal.waitFor("The provider corp gets CORP_TOKEN, OTHER_KEY.");
    await terminal.close();
    expect(await answer(cwd)).toBe("got <corp-secret> <other-secret>");
  });
});
