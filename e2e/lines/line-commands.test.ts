import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { commandDocs } from "@harness/tui/docs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

/** One red dot. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const ANSWER = "Hello.\nSecond line.\n```sh\nnpm test\n```";

let server: ModelServer;
let place: TestHome;
beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say(ANSWER, { repeat: "always" })] } });
  place = new TestHome(server.environment);
  writeFileSync(join(place.cwd, "dot.png"), Buffer.from(PNG, "base64"));
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

async function printed(lines: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await place.run(["repl"], { stdin: `${lines.join("\n")}\n` });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toContain("\u001b");
  // On a busy machine the scripted model may answer late.
  return stdout.replace(/^Waiting for .*\n/gm, "");
}

/** The output after each line, in order. */
async function answers(lines: readonly string[]): Promise<string[]> {
  const stdout = await printed(lines);
  const parts = `\n${stdout}`.split("\n>>> ").slice(1);
  return lines.map((line, at) => (parts[at] ?? "").replace(`${line}\n`, ""));
}

/** The answer to the last of these lines. */
async function answer(...lines: string[]): Promise<string> {
  return (await answers(lines)).at(-1) ?? "";
}

it("every command of the window works in plain lines, or says why not", async () => {
  const names = commandDocs()
    .flatMap(([usage = ""]) => usage.match(/(?<=^|, )\/[a-z-]+/g) ?? [])
    .filter((name) => !["/quit", "/exit"].includes(name));
  expect(names.length).toBeGreaterThan(25);
  // Without a name these would ask which session.
  const asking = ["/history", "/resume", "/sessions"];
  const lines = names.map((name) => (asking.includes(name) ? `${name} nowhere` : name));
  const said = await answers(lines);
  for (const [at, text] of said.entries()) {
    expect([names[at], text]).toEqual([names[at], expect.stringMatching(/\w{3}/)]);
    expect([names[at], text]).toEqual([names[at], expect.not.stringContaining("There is no command")]);
  }
});

describe("commands of the line mode", () => {
  it("print what would be copied, and find lines of the conversation", async () => {
    const [, last, code, second, all, found, nothing, usage] = await answers([
      "hi there",
      "/copy",
      "/copy code",
      "/copy 2",
      "/copy all",
      "/find SECOND",
      "/find elsewhere",
      "/find",
    ]);
    expect(last).toContain(`Plain output has no clipboard. The text:\n\n${ANSWER}\n`);
    expect(code).toContain("The text:\n\nnpm test\n");
    expect(second).toBe("There is only one answer here.");
    expect(all).toContain("hi there");
    expect(found).toBe('1 line contains "SECOND".\n  agent: Second line.');
    expect(nothing).toBe('Nothing here contains "elsewhere".');
    expect(usage).toBe("Usage: /find WORDS");
  });

  it("say what holds here, and which keys there are", async () => {
    const [, status, keys, modes] = await answers(["hi", "/status", "/keys", "/permission-mode accept-edits"]);
    expect(status).toMatch(/^harness +\d/);
    expect(status).toMatch(/\nModel +scripted-model at 127\.0\.0\.1:\d+\n/);
    expect(status).toContain("Asks first: you are asked");
    expect(status).not.toContain("Shift+Tab");
    expect(keys).toMatch(/\nCtrl\+C +Stop the turn/);
    expect(modes).toMatch(/^Edits allowed: /);
  });

  it("change the theme of the window, and know its names", async () => {
    expect(await answer("/theme")).toContain("Themes: auto, ");
    expect(await answer("/theme nrod")).toBe('There is no theme "nrod". Did you mean nord?');
    expect(await answer("/theme nord")).toBe("The theme of the window is now nord; plain lines have no colours.");
    expect(JSON.parse(readFileSync(join(place.home, "settings.json"), "utf8"))).toMatchObject({ theme: "nord" });
  });

  it("send images with the next message", async () => {
    const [none, gone, added, drop, , after] = await answers([
      "/image",
      "/image gone.png",
      "/image 'dot.png'",
      "/image drop 2",
      "what is it?",
      "/image",
    ]);
    expect(none).toContain("The message has no image.");
    expect(gone).toContain("gone.png");
    expect(added).toMatch(/^Goes with your next message:\n1\. dot\.png, 1×1, \d+ bytes$/);
    expect(drop).toContain("Usage: /image drop N.");
    expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("data:image/png;base64,");
    expect(after).toContain("The message has no image.");
    expect(await answer("/image dot.png", "/image drop 1")).toContain("The message has no image.");
    expect(await answer("/image dot.png", "/image clear")).toContain("The message has no image.");
  });

  it("test the model, one line a probe", async () => {
    const said = await answer("/doctor");
    expect(said).toMatch(/^Testing the model; Ctrl\+C stops that\.\n1 of \d+: /);
    expect(said).toMatch(/\ncontext window +/);
  });

  it("take names that people know from other agents, and tell what they do not have", async () => {
    expect(await answer("/approvals")).not.toContain("There is no command");
    expect(await answer("/login")).toContain("harness auth login PROVIDER");
    expect(await answer("/edit")).toBe("An editor needs a terminal. Send the text as lines.");
    expect(await answer("/stop")).toBe("Nothing is running.");
    expect(await answer("hi", "/stop all")).toContain("No subagent is running.");
    expect(await answer("/agents")).toMatch(/^No subagent is running\.\n/);
    expect(await answer("/home")).toContain("/history lists the sessions");
  });

  it("write the conversation to a file, and have changes reviewed, as the server does everywhere", async () => {
    const [, exported, reviewed] = await answers(["hi", "/export out.md", "/review the last commit"]);
    expect(exported).toContain("out.md");
    expect(readFileSync(join(place.cwd, "out.md"), "utf8")).toContain("Second line.");
    expect(reviewed).toContain("Second line.");
    expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("the last commit");
  });
});

describe("a message of several lines", () => {
  it("goes on after a backslash and within a fence", async () => {
    const stdout = await printed(["one\\", "two", "see ```", "code", "```", "quit"]);
    expect(stdout).toContain(">>> one\\\n... two\nHello.");
    expect(stdout).toContain(">>> see ```\n... code\n... ```\nHello.");
    const heard = JSON.stringify(server.chatRequests.at(-1)?.body);
    expect(heard).toContain("one\\ntwo");
    expect(heard).toContain("see ```\\ncode\\n```");
  });

  it("is sent as it is where the input ends", async () => {
    await printed(["see ```", "last words"]);
    expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("see ```\\nlast words");
  });
});

it("the end of a turn at a limit is said once, with how to go on", async () => {
  const looks = turns.call("ls", { path: "." });
  const busy = await startModelServer({ scenario: { turns: [{ ...looks, repeat: "always" }] } });
  const own = new TestHome(busy.environment);
  const { stdout } = await own.run(["repl", "--max-turns", "1"], { stdin: "go\nstop\n" });
  own.remove();
  await busy.close();
  expect(stdout).toContain(
    "Stopped after 1 request to the model. The limit is the setting max_turns.\nType /continue or send a message to go on.\n",
  );
  expect(stdout.match(/Stopped after/g)).toHaveLength(1);
});
