// `harness run "/…"`: a slash command of the server instead of a message.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello there.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

const requests = () => server.chatRequests.length;

describe("a slash command in harness run", () => {
  it("prints its answer, asks no model and creates no session", async () => {
    const answer = join(place.cwd, "answer.txt");
    const ended = await place.run(["run", "/audit", "last", "5", "-o", answer]);
    expect(ended).toMatchObject({ code: 0, stdout: "There are no permission decisions yet.\n", stderr: "" });
    expect(readFileSync(answer, "utf8")).toBe("There are no permission decisions yet.");
    expect(requests()).toBe(0);
    expect(existsSync(join(place.home, "conversations"))).toBe(false);
  });

  it("has a result like every run, also as JSON lines", async () => {
    const [init, result, ...more] = linesOf((await place.run(["-p", "--json", "/permissions"])).stdout);
    expect(init).toMatchObject({ type: "init", sessionId: null, cwd: place.cwd });
    expect(result).toMatchObject({ type: "result", subtype: "success", exitCode: 0, sessionId: null, turns: 0 });
    expect(result?.result).toMatch(/^No rules:/);
    expect(more).toEqual([]);
  });

  it("is run by the name that another agent has for it", async () => {
    const ended = await place.run(["run", "/approvals"]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No rules:/) });
  });

  it("is refused without a session that it needs (exit code 2), and uses the newest one with -c", async () => {
    const own = new TestHome(server.environment);
    const refused = await own.run(["run", "/rewind"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toBe("harness: /rewind needs a session. Name one with --continue or --resume ID.\n");
    const first = resultOf(await own.run(["run", "--output-format", "json", "my first words"]));
    const listed = resultOf(await own.run(["run", "--output-format", "json", "-c", "/rewind"]));
    expect(listed).toMatchObject({ sessionId: first.sessionId, exitCode: 0, turns: 0 });
    expect(listed.result).toContain("1. my first words");
    own.remove();
  });
});

describe("a slash command that fails in harness run", () => {
  it("ends with exit code 1: /export never replaces a file, and a script has to know", async () => {
    const own = new TestHome(server.environment);
    resultOf(await own.run(["run", "--output-format", "json", "my first words"]));
    const path = join(own.cwd, "mine.md");
    expect(await own.run(["run", "-c", "/export", "mine.md"])).toMatchObject({ code: 0, stderr: "" });
    const again = await own.run(["run", "-c", "/export", "mine.md"]);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain(`Nothing was written: ${path} exists. Name another file: /export FILE.`);
    expect(await own.run(["run", "-c", "/export", "gone/a.md"])).toMatchObject({ code: 1, stdout: "" });
    own.remove();
  });

  it("ends with exit code 1 where it is a program that failed, and prints what that printed", async () => {
    const own = new TestHome(server.environment);
    const folder = join(own.home, "commands");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "deploy"), "#!/bin/sh\necho out; exit 9\n", { mode: 0o755 });
    const ended = await own.run(["run", "/deploy"]);
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining("out") });
    expect(ended.stderr).toContain("/deploy ended with exit code 9.");
    own.remove();
  });
});

describe("a slash command of a file in harness run", () => {
  it("starts a session and ends with its turn; a former command is refused", async () => {
    const own = new TestHome(server.environment);
    const folder = join(own.home, "commands");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "greet.md"), "Greet $1 as a friend.");
    const greeted = await own.run(["run", "--output-format", "json", "/greet", "Ada"]);
    expect(resultOf(greeted)).toMatchObject({ exitCode: 0, turns: 1, result: "Hello there." });
    expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("Greet Ada as a friend.");
    // The longer name, which is in no list.
    expect(await own.run(["run", "/user:greet", "Bob"])).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("Greet Bob as a friend.");
    rmSync(join(folder, "greet.md"));
    const gone = await own.run(["run", "/greet", "Ada"]);
    expect(gone).toMatchObject({ code: 2, stdout: "" });
    expect(gone.stderr).toContain("There is no command /greet.");
    own.remove();
  });
});

describe("/init in harness run", () => {
  it("has a session of its own in which the model writes AGENTS.md", async () => {
    const write = turns.call("write", { file_path: "AGENTS.md", content: "# Rules\n" });
    const model = await startModelServer({ scenario: { turns: [write, turns.say("Written.")] } });
    const own = new TestHome(model.environment);
    const ended = await own.run(["run", "--permission-mode", "accept-edits", "/init"]);
    expect(ended).toMatchObject({ code: 0, stdout: "Written.\n" });
    expect(readFileSync(join(own.cwd, "AGENTS.md"), "utf8")).toBe("# Rules\n");
    own.remove();
    await model.close();
  });
});

describe("/continue in harness run", () => {
  it("goes on with a turn that was stopped at a limit, to its end, and has nothing to go on with then", async () => {
    const looking = Array.from({ length: 3 }, (_, n) => turns.call("ls", { path: `${n}` }));
    const model = await startModelServer({ scenario: { turns: [...looking, turns.say("All seen.")] } });
    const own = new TestHome(model.environment);
    const run = async (...args: string[]) => {
      const ended = await own.run(["run", "--output-format", "json", ...args]);
      return { code: ended.code, stderr: ended.stderr, result: resultOf(ended) };
    };
    const { stderr, ...stopped } = await run("--max-turns", "2", "look around");
    const { sessionId } = stopped.result;
    const once = "harness: Stopped after 2 requests to the model. The limit is the setting max_turns.";
    expect(stderr).toBe(`${once}\nharness: Continue with: harness run --resume ${sessionId} /continue\n`);
    const message = `Stopped after 2 requests to the model.\nContinue with: harness run --resume ${sessionId} /continue`;
    expect(stopped).toMatchObject({ code: 5, result: { stopReason: "max_turn_requests", error: { message } } });
    const gone = await run("--resume", `${sessionId}`, "/continue");
    expect(gone).toMatchObject({ code: 0, result: { result: "All seen.", turns: 2, sessionId } });
    expect(JSON.stringify(model.chatRequests.at(-1)?.body)).toContain("Continue where you stopped.");
    const again = await run("-c", "/continue");
    expect(again.result).toMatchObject({ exitCode: 0, turns: 0 });
    expect(again.result.result).toContain("Nothing to continue");
    expect(model.chatRequests).toHaveLength(4);
    own.remove();
    await model.close();
  });
});

describe("arguments that a slash command does not take", () => {
  it.each([
    ["/audit nonsense", "Type /audit, /audit last 50"],
    ["/autoaccept maybe", "Type /autoaccept on or /autoaccept off."],
    ["/egress none", "Type /egress, or"],
    ["/permissions what", "Type /permissions, "],
    ["/command add", "/command add PREFIX: "],
  ])("%s ends with code 2 and says what it takes", async (text, usage) => {
    const ended = await place.run(["run", text]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(usage);
  });
});

describe("text that looks like a slash command", () => {
  it("is refused when the command is unknown (exit code 2), with the way to send it to the model", async () => {
    const before = requests();
    const ended = await place.run(["run", "/audt last 5"]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toBe(
      "harness: There is no command /audt. Did you mean /audit? To send a message that begins with a slash, put a space before it: harness run ' /audt …'\n",
    );
    expect((await place.run(["run", "/explain"])).stderr).toContain(
      "There is no command /explain. There are /agents, /compact,",
    );
    expect(requests()).toBe(before);
  });

  it("cannot be combined with a file (exit code 2)", async () => {
    writeFileSync(join(place.cwd, "notes.txt"), "words");
    const ended = await place.run(["run", "/audit", "-f", "notes.txt"]);
    expect(ended).toMatchObject({ code: 2, stderr: "harness: --file needs a message, but /audit is a command.\n" });
  });

  it.each([[" /explain this"], ["/usr/bin is full"]])("is sent as a message: %j", async (words) => {
    const before = requests();
    expect(await place.run(["run", words])).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(requests()).toBe(before + 1);
  });
});
