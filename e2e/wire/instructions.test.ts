// Instructions from files, over the wire of a real server process: their place, and that requests keep their prefix.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose, LiveServer } from "../support/live-server.ts";
import { observeTurn, type Turns } from "../support/observe-turn.ts";

let live: LiveServer;
let client: HarnessClient;
beforeAll(async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd, { recursive: true });
  client = (await live.connect(choose("allow_once"))).client;
});
afterAll(() => live.close());

function put(path: string, text: string): void {
  const whole = join(live.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

type Message = { role: string; content: unknown };

async function session(folder = "project") {
  const cwd = join(live.root, folder);
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const { sessionId } = (await client.call("session/new", { cwd })).session;
  const turn = async (script?: Turns): Promise<Message[][]> => {
    const { bodies } = await observeTurn({ live, client, servers: [live.model] }, sessionId, script);
    return bodies.map(({ messages }) => messages as Message[]);
  };
  return { cwd, sessionId, turn };
}

/** Each request begins with the previous one; returns what each of them adds, as text. */
function additions(requests: Message[][]): string[] {
  return requests.map((messages, index) => {
    const before = requests[index - 1] ?? [];
    expect(messages.slice(0, before.length)).toEqual(before);
    return JSON.stringify(messages.slice(before.length));
  });
}

const run = async (sessionId: string, name: string, args = "") =>
  (await client.call("command/run", { sessionId, name, args })).text;

const systemOf = ([messages = []]: Message[][]) => String(messages[0]?.content);

describe("files that instruct the model", () => {
  it("stand in their order, those of a project's fragments once it is trusted", async () => {
    put("home/prompts/house.md", "House rule.");
    put("home/.claude/CLAUDE.md", "Global rule.");
    put("ordered/.harness/prompts/b.md", "Project fragment.");
    put("ordered/AGENTS.md", "Project rule.\n@more.md");
    put("ordered/more.md", "Included rule.");
    const untrusted = await session("ordered");
    const before = systemOf(await untrusted.turn());
    expect(before).not.toContain("Project fragment.");
    expect(before).toContain("Its folder is not trusted");
    const { hash } = await client.call("trust/get", { cwd: untrusted.cwd });
    await client.call("trust/set", { cwd: untrusted.cwd, hash, decision: "trust" });
    const { turn, sessionId } = await session("ordered");
    const after = systemOf(await turn());
    const order = [
      "You are harness",
      "House rule.",
      "Project fragment.",
      "Workspace:",
      "Global rule.",
      "Project rule.",
    ];
    const places = [...order, "Included rule."].map((words) => after.indexOf(words));
    expect(places).toEqual(places.filter((place) => place >= 0).sort((a, b) => a - b));
    const { sections } = await client.call("session/context", { sessionId });
    const items = (name: string) => sections.find(({ section }) => section === name)?.items?.map((each) => each.name);
    expect(items("prompt_fragments")?.sort()).toEqual([
      join(live.root, "home/prompts/house.md"),
      join(live.root, "ordered/.harness/prompts/b.md"),
    ]);
    expect(items("workspace")).toEqual([untrusted.cwd]);
  });
});

const END = turns.say("end");
const read = (path: string) => turns.call("read", { file_path: path });

describe("instructions of a folder below the working folder", () => {
  it("join at the end of the messages when the agent first reads there, each once, and a resumed session sends the same bytes", async () => {
    put("nested/AGENTS.md", "Root rule.");
    put("nested/api/AGENTS.md", "Api rule.");
    put("nested/api/v2/CLAUDE.md", "Second rule.");
    for (const name of ["a.ts", "b.ts", "v2/c.ts"]) put(`nested/api/${name}`, "1\n");
    const { turn, sessionId } = await session("nested");
    const first = await turn([read("api/a.ts"), read("api/b.ts"), read("api/v2/c.ts"), END]);
    const [start = "", afterA = "", afterB = "", afterC = ""] = additions(first);
    expect([start.includes("Api rule."), start.includes("Root rule.")]).toEqual([false, true]);
    expect(afterA).toMatch(/Instructions from [^:]+nested\/api\/AGENTS\.md:\\nApi rule\./);
    expect(afterB).not.toContain("rule.");
    expect(afterC).toContain("Second rule.");
    expect(afterC).not.toContain("Api rule.");
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId });
    const second = await turn([read("api/a.ts"), END]);
    const all = additions([...first, ...second]);
    expect(all.slice(first.length).join()).not.toContain("rule.");
    const breaks = live.updates.flatMap(({ sessionId: of, update }) =>
      of === sessionId && update.sessionUpdate === "agent_message" && update.prefix?.break ? [update.prefix.break] : [],
    );
    expect(breaks).toEqual([]);
  });

  it("are not read through a link that leads out of the project", async () => {
    put("linked/sub/a.ts", "1\n");
    put("home/private.md", "Private words.");
    symlinkSync(join(live.root, "home/private.md"), join(live.root, "linked/sub/AGENTS.md"));
    const { turn } = await session("linked");
    expect(JSON.stringify(await turn([read("sub/a.ts"), END]))).not.toContain("Private words.");
  });
});

describe("pinned files", () => {
  it("stand in the system text, are counted, and a change by others is reported once at the end", async () => {
    put("pins/src/a.ts", "const first = 1;\nconst second = 2;\nconst third = 3;\n");
    put("pins/src/b.ts", "const other = 1;\n");
    const { turn, sessionId, cwd } = await session("pins");
    await turn();
    expect(await run(sessionId, "add", "src/a.ts:2-3 src/b*.ts")).toMatch(
      /^Pinned src\/a\.ts:2-3, about \d+ tokens\.\nPinned src\/b\.ts, about \d+ tokens\.\nPinned files add about \d+ tokens/,
    );
    const before = await turn();
    expect(systemOf(before)).toMatch(
      /Pinned file src\/a\.ts:2-3, up to the mark (\w+):\nconst second = 2;\nconst third = 3;\n\[Mark \1: end\]\n\nPinned file src\/b\.ts, up to/,
    );
    expect(systemOf(before)).not.toContain("const first");
    const { sections } = await client.call("session/context", { sessionId });
    const pinned = sections.find(({ section }) => section === "pinned_files");
    expect(pinned?.tokens).toBeGreaterThan(0);
    expect((await client.call("hud/get", { sessionId })).pinned).toBe(2);
    expect(pinned?.items?.map(({ name }) => name).sort()).toEqual(["src/a.ts:2-3", "src/b.ts"]);
    put("pins/src/b.ts", "const other = 2;\n");
    const changed = await turn();
    const same = await turn();
    const [, told = "", later = ""] = additions([...before, ...changed, ...same]);
    expect(told).toMatch(/Pinned file src\/b\.ts, up to the mark \w+:\\nconst other = 2;/);
    expect(told).not.toContain("Changed on disk");
    expect(later).not.toContain("Pinned file");
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId });
    expect(await run(sessionId, "files")).toMatch(
      /^2 pinned files, about \d+ tokens in each request:\nsrc\/a\.ts:2-3 +\d+ tokens\n/,
    );
    expect(systemOf(await turn())).toMatch(/Pinned file src\/b\.ts, up to the mark \w+:\nconst other = 2;/);
    expect(await run(sessionId, "drop", "src/a.ts src/c.ts")).toBe(
      "Unpinned src/a.ts:2-3.\nsrc/c.ts is not pinned. /files shows what is.",
    );
    const dropped = await turn();
    expect(systemOf(dropped)).not.toContain("const second");
    // A resume reports the facts again.
    const replies = new Map(
      live.updates.flatMap(({ sessionId: of, seq, update }) =>
        of === sessionId && update.sessionUpdate === "agent_message" ? [[seq, update.prefix?.break?.cause]] : [],
      ),
    );
    expect([...replies.values()].filter(Boolean)).toEqual(["other files are pinned", "other files are pinned"]);
    expect(await run(sessionId, "dropall")).toBe("Unpinned 1 file.");
    expect(await run(sessionId, "files")).toBe("No files are pinned. /add FILE pins one.");
    rmSync(join(cwd, "src"), { recursive: true });
  });

  it("have their limit also before the first request, and /files says when they have grown past it", async () => {
    put("grown/a.ts", "const a = 1;\n");
    put("grown/large.ts", "word ".repeat(100_000));
    const { sessionId } = await session("grown");
    expect(await run(sessionId, "add", "a.ts large.ts")).toMatch(
      /^Pinned a\.ts, about \d+ tokens\.\nlarge\.ts has about 125,\d+ tokens, and pinned files may take/,
    );
    expect(await run(sessionId, "files")).not.toContain("room for");
    put("grown/a.ts", "word ".repeat(100_000));
    expect(await run(sessionId, "files")).toMatch(
      /\nPinned files may take [\d,]+ tokens of this context window: they are cut\.$/,
    );
  });

  it("count as read: the model may edit one without reading it first, and its own change is not reported to it", async () => {
    put("own/a.ts", "const a = 1;\n");
    const { turn, sessionId } = await session("own");
    await run(sessionId, "add", "a.ts");
    const edit = turns.call("edit", { file_path: "a.ts", old_string: "a = 1", new_string: "a = 2" });
    const requests = [...(await turn([edit, END])), ...(await turn())];
    const [, edited = "", next = ""] = additions(requests);
    expect(edited).not.toMatch(/read it first|not been read/i);
    expect(readFileSync(join(live.root, "own/a.ts"), "utf8")).toBe("const a = 2;\n");
    expect(next).not.toContain("Pinned file");
  });

  it.each([
    ["src", "src is a folder. Name its files, or a pattern such as src/*."],
    ["gone.ts", "gone.ts does not exist."],
    [".env", ".env may hold secrets: it cannot be pinned."],
    ["../home/notes.txt", /^\/.+notes\.txt is outside the workspace: it cannot be pinned\.$/],
    ["link.txt", "link.txt is outside the workspace: it cannot be pinned."],
    ["picture.png", "picture.png is not text."],
    ["src/a.ts:9-10", "src/a.ts:9-10 ends before line 9: it has 2."],
    ["*.rs", "*.rs matches no file."],
    [
      "large.txt",
      /^large\.txt has about 100,\d+ tokens, and pinned files may take [\d,]+ tokens of this context window in total\. Pin some of its lines\.$/m,
    ],
  ])("/add %s is refused with a sentence", async (name, sentence) => {
    put("refused/src/a.ts", "1\n");
    put("refused/.env", "KEY=private");
    put("refused/picture.png", "\0PNG");
    put("refused/large.txt", "word".repeat(100_000));
    put("home/notes.txt", "private");
    const link = join(live.root, "refused/link.txt");
    if (!existsSync(link)) symlinkSync(join(live.root, "home/notes.txt"), link);
    const { sessionId, turn } = await session("refused");
    await turn();
    const text = await run(sessionId, "add", name);
    if (typeof sentence === "string") expect(text).toBe(sentence);
    else expect(text).toMatch(sentence);
  });
});

describe("/add with a pattern", () => {
  it("pins what is listed, and files of an ignored folder that it begins with", async () => {
    for (const name of ["a.log", "dist/a.ts", "dist/.gitignore", "node_modules/m.ts", "src/a.ts", "src/local.ts"])
      put(`patterns/${name}`, "1\n");
    put("patterns/.gitignore", "*.log\ndist/\n");
    put("patterns/src/.gitignore", "local.ts\n");
    const { sessionId, turn } = await session("patterns");
    await turn();
    expect(await run(sessionId, "add", "*.log")).toBe("*.log matches no file.");
    expect(await run(sessionId, "add", "**/*.ts")).toMatch(/^Pinned src\/a\.ts, about .*\n.*$/);
    expect(await run(sessionId, "add", "dist/*")).toMatch(/^Pinned dist\/a\.ts, about .*\n.*$/);
  });
});

describe("/refresh", () => {
  it("says what has changed, and the next request has it; with nothing changed the prefix stays", async () => {
    put("again/AGENTS.md", "Old rule.");
    put("again/CLAUDE.md", "Other rule.");
    const { turn, sessionId } = await session("again");
    const first = await turn();
    expect(await run(sessionId, "refresh")).toBe("Read again: nothing has changed.");
    const second = await turn();
    additions([...first, ...second]);
    put("again/AGENTS.md", "New rule.");
    put("again/package.json", '{"name": "thing"}');
    const text = await run(sessionId, "refresh");
    expect(text.split("\n").sort()).toEqual([
      "Changed: AGENTS.md",
      "Changed: the workspace",
      "Read again. Changed from the next request on:",
    ]);
    const third = systemOf(await turn());
    expect(third).toContain("New rule.");
    expect(third).toContain("Project: Node.js (npm) thing");
    rmSync(join(live.root, "again/AGENTS.md"));
    expect(await run(sessionId, "refresh")).toBe(
      "Read again. Changed from the next request on:\nChanged: the workspace\nNo longer there: AGENTS.md\nNew: CLAUDE.md",
    );
  });
});

describe("/init", () => {
  it("is a turn in which the model writes AGENTS.md through the gate, or updates the file that is there", async () => {
    const { turn, sessionId, cwd } = await session("fresh");
    live.model.setScenario({
      models: [{ id: "scripted" }],
      turns: [turns.call("write", { file_path: "AGENTS.md", content: "# Rules\n" }), END],
    });
    const { turnId } = await client.call("command/run", { sessionId, name: "init", args: "mind the tests" });
    expect(turnId).toBeDefined();
    const isOver = await live.until(
      ({ sessionId: of, turnId: ended, update }) =>
        of === sessionId && ended === turnId && update.sessionUpdate === "state_update" && update.state === "idle",
    );
    expect(isOver.update).toMatchObject({ stopReason: "end_turn" });
    expect(readFileSync(join(cwd, "AGENTS.md"), "utf8")).toBe("# Rules\n");
    const said = live.updates.find(
      ({ sessionId: of, update }) => of === sessionId && update.sessionUpdate === "user_message",
    )?.update;
    expect(said).toMatchObject({
      content: [{ type: "text", text: "/init mind the tests" }],
      attached: [{ type: "text", text: expect.stringMatching(/^Write AGENTS\.md.+fewer than 200 lines/s) }, {}],
    });
    const asked = live.updates.find(
      ({ sessionId: of, update }) => of === sessionId && update.sessionUpdate === "permission_requested",
    )?.update;
    expect(JSON.stringify(asked)).toContain('"type":"diff"');
    await turn();
    const again = await client.call("command/run", { sessionId, name: "init" });
    expect(again.turnId).toBeDefined();
    const update = await live.until(
      (each) => each.turnId === again.turnId && each.update.sessionUpdate === "user_message",
    );
    expect(JSON.stringify(update)).toContain("Update AGENTS.md, the instruction file of this project: read it first");
  });

  it("is refused in a mode that changes no files", async () => {
    const { sessionId } = await session("planned");
    await run(sessionId, "mode", "planning");
    expect(await run(sessionId, "init")).toBe(
      "/init writes a file, which this mode does not allow. Type /agent first.",
    );
  });
});
