// A client of another house, as people install it (scripts/packages-for-tests.ts).
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { isWhole, type ModelServer, type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";

const clients = join(import.meta.dirname, "clients-for-tests/node_modules");
const agent = `${process.execPath} ${resolve(import.meta.dirname, "../../dist/harness.mjs")} acp`;

type Ran = { code: number | null; out: string; err: string };
type Line = { method?: string; params?: Record<string, unknown>; result?: Record<string, unknown> };

/** A person with acpx, in a folder and with a home of their own. */
class AcpxUser {
  readonly cwd: string;
  readonly #root: string;
  readonly #program: string;
  readonly #model: ModelServer;

  constructor(program: string, model: ModelServer) {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), "acpx ")));
    this.cwd = join(this.#root, "project");
    this.#program = program;
    this.#model = model;
    mkdirSync(this.cwd);
  }

  async run(...args: string[]): Promise<Ran> {
    const all = [join(clients, this.#program, "dist/cli.js"), "--agent", agent, "--ttl", "1", ...args];
    const child = spawn(process.execPath, all, {
      cwd: this.cwd,
      env: {
        PATH: process.env.PATH,
        HOME: this.#root,
        HARNESS_HOME: join(this.#root, "home"),
        ...this.#model.environment,
        HARNESS_MODEL: "scripted",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((done) => child.once("close", done));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out, err };
  }

  /** One prompt in a session of its own: the lines that went over the wire. */
  async exec(...args: string[]): Promise<{ code: number | null; lines: Line[] }> {
    const { code, out } = await this.run("--format", "json", "--json-strict", ...args);
    const lines = out.split("\n").filter((line) => line !== "");
    return { code, lines: lines.map((line) => JSON.parse(line)) };
  }

  async close(): Promise<void> {
    await this.run("sessions", "close");
    await this.#model.close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

const writing: ScenarioInput = {
  turns: [
    turns.call("write", { file_path: "new.txt", content: "hello\n" }),
    turns.say("Written."),
    turns.say("You asked me to write it."),
  ],
};

const isThere = existsSync(join(clients, "acpx"));

describe.skipIf(!isThere && !isWhole).each([
  ["acpx, newest, on version 1 of the SDK", "acpx"],
  ["acpx, the last on version 0 of the SDK", "acpx-on-sdk-0"],
])("%s", (_name, program) => {
  let user: AcpxUser;
  let model: ModelServer;

  async function started(scenario: ScenarioInput): Promise<void> {
    model = await startModelServer({ scenario });
    user = new AcpxUser(program, model);
  }

  afterEach(() => user.close());

  it("has a task done that is approved", async () => {
    await started(writing);
    const { code, lines } = await user.exec("--approve-all", "exec", "Write it");
    expect(code).toBe(0);
    expect(readFileSync(join(user.cwd, "new.txt"), "utf8")).toBe("hello\n");
    const asked = lines.find(({ method }) => method === "session/request_permission");
    expect(asked?.params?.toolCall).toMatchObject({ title: "write new.txt", kind: "edit" });
    expect(lines.map(({ result }) => result?.outcome)).toContainEqual({
      outcome: "selected",
      optionId: expect.any(String),
    });
    expect(lines.map(({ result }) => result?.stopReason)).toContain("end_turn");
  });

  it("leaves undone what is denied, and the agent learns it", async () => {
    await started(writing);
    const { lines } = await user.exec("--deny-all", "exec", "Write it");
    expect(existsSync(join(user.cwd, "new.txt"))).toBe(false);
    expect(JSON.stringify(lines)).toContain('"status":"failed"');
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("Denied: write new.txt");
  });

  it("continues a session that another process has opened", async () => {
    await started(writing);
    expect((await user.run("sessions", "new")).code).toBe(0);
    expect((await user.run("--approve-all", "Write it")).out).toContain("Written.");
    const listed = (await user.run("sessions", "list")).out;
    expect(listed).toContain("Write it");
    await user.run("sessions", "close");
    const [sessionId = ""] = listed.split(/\s/);
    await user.run("sessions", "new", "--resume-session", sessionId);
    expect((await user.run("What was it?")).out).toContain("You asked me to write it.");
    const body = JSON.stringify(model.requests.at(-1)?.body);
    for (const words of ["Write it", "Written.", "What was it?"]) expect(body).toContain(words);
  });
});
