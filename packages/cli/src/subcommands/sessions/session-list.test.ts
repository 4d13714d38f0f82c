import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { localTime } from "@harness/protocol";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

let server: ModelServer;
let place: TestHome;
let elsewhere: string;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
  elsewhere = join(place.root, "elsewhere");
  mkdirSync(elsewhere);
});
afterAll(async () => {
  place.remove();
  await server.close();
});

describe("harness sessions", () => {
  it("says where there are none, then lists those of the folder, of every folder, and for programs", async () => {
    expect(await runInProcess(place, ["sessions"])).toMatchObject({
      code: 0,
      stdout: "There are no sessions in this folder. --all lists every folder's.\n",
    });
    expect(await runInProcess(place, ["sessions", "--all"])).toMatchObject({ stdout: "There are no sessions yet.\n" });
    await place.run(["run", "-n", "the first", "hi"]);
    await place.run(["run", "over there"], { cwd: elsewhere });

    const here = await runInProcess(place, ["sessions"]);
    expect(here.stdout).toContain("the first");
    expect(here.stdout).not.toContain("over there");
    expect(here.stderr).toContain("harness -r ID opens one");
    const all = await runInProcess(place, ["sessions", "--all"]);
    expect(all.stdout).toContain("the first");
    expect(all.stdout).toMatch(new RegExp(`${elsewhere} +over there`));

    const { sessions } = JSON.parse((await runInProcess(place, ["sessions", "--json", "--all"])).stdout);
    expect(sessions.map(({ cwd }: { cwd: string }) => cwd).sort()).toEqual([elsewhere, place.cwd]);
    const again = await place.run(["run", "-r", sessions[0].sessionId, "and again"]);
    expect(again).toMatchObject({ code: 0, stdout: "Hello.\n" });
    expect(await place.run(["run", "-r", "-q", "hi"])).toMatchObject({
      code: 2,
      stderr: "harness: A run cannot ask which session: --resume needs an ID here. harness sessions lists them.\n",
    });
  });

  it("are shown with the time of the clock here, and a lookup that finds none ends as elsewhere", async () => {
    const { sessions } = JSON.parse((await runInProcess(place, ["sessions", "--json"])).stdout);
    const { sessionId } = sessions[0];
    const { createdAt, turns } = JSON.parse(
      (await runInProcess(place, ["session", "show", sessionId, "--json"])).stdout.split("\n", 1)[0] ?? "",
    );
    const { date, minutes } = localTime(createdAt);
    const shown = (await runInProcess(place, ["session", "show", sessionId])).stdout;
    expect(shown).toContain(`${sessionId} · ${date} ${minutes} · ${place.cwd} · `);
    expect(turns).toBe(1);
    expect(shown).toContain(" · 1 turn\n");
    for (const which of ["show", "dir"]) {
      expect(await runInProcess(place, ["session", which, "nope"])).toMatchObject({
        code: 7,
        stderr: 'harness: There is no stored session "nope".\n',
      });
    }
  });

  it("are searched for what was said in any folder, and renamed by their titles", async () => {
    const found = await runInProcess(place, ["session", "search", "OVER", "there"]);
    expect(found.code).toBe(0);
    expect(found.stdout).toContain(`${elsewhere} · over there\n  user: over there`);
    expect(found.stdout).not.toContain("Hello");
    const { hits, count } = JSON.parse((await runInProcess(place, ["session", "search", "hello", "--json"])).stdout);
    expect(hits).toHaveLength(count);
    expect(hits[0]).toMatchObject({ kind: "answer", agentId: "main", excerpt: "Hello." });
    expect(await runInProcess(place, ["session", "search", "unheard"])).toMatchObject({
      code: 0,
      stdout: "No session has unheard.\n",
    });
    expect(await runInProcess(place, ["session", "search"])).toMatchObject({
      code: 2,
      stderr: "harness: Give words to search for: harness session search WORDS\n",
    });

    const { sessionId } = JSON.parse((await runInProcess(place, ["session", "search", "over", "--json"])).stdout)
      .hits[0];
    expect(await runInProcess(place, ["session", "rename", sessionId, "Far", "away"])).toMatchObject({
      stdout: `${sessionId} is now called Far away.\n`,
    });
    expect((await runInProcess(place, ["session", "show", "far away"])).stdout).toContain("Far away\n");
    expect(await runInProcess(place, ["session", "rename", "nope", "x"])).toMatchObject({ code: 7 });
    expect(await runInProcess(place, ["session", "rename", sessionId])).toMatchObject({ code: 2 });
  });

  const beginOne = async (message: string): Promise<string> =>
    JSON.parse((await place.run(["run", "--json", message])).stdout.split("\n", 1)[0] ?? "").sessionId;
  const listedIds = async (...flags: string[]): Promise<string[]> =>
    JSON.parse((await runInProcess(place, ["session", "list", "--json", ...flags])).stdout).sessions.map(
      ({ sessionId }: { sessionId: string }) => sessionId,
    );

  it("are deleted by what names them, come back from the bin, and are gone for good with --now", async () => {
    const sessionId = await beginOne("short-lived");
    expect(await runInProcess(place, ["session", "delete", "2"])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('"2" matches'),
    });
    expect(await runInProcess(place, ["session", "delete", sessionId])).toMatchObject({
      code: 0,
      stdout: `${sessionId} is in the bin, and is deleted for good after 30 days.\n`,
      stderr: expect.stringContaining(`harness session restore ${sessionId}`),
    });
    expect(await runInProcess(place, ["session", "show", sessionId])).toMatchObject({ code: 7 });
    expect((await runInProcess(place, ["session", "search", "short-lived"])).stdout).not.toContain(sessionId);
    expect(await listedIds()).not.toContain(sessionId);
    const restored = await runInProcess(place, ["session", "restore", sessionId, "--json"]);
    expect(JSON.parse(restored.stdout)).toMatchObject({ sessionId });
    expect(await listedIds()).toContain(sessionId);
    await runInProcess(place, ["session", "delete", sessionId]);
    expect(await runInProcess(place, ["session", "delete", sessionId])).toMatchObject({ code: 7 });
    expect(await runInProcess(place, ["session", "delete", sessionId, "--now"])).toMatchObject({
      code: 0,
      stdout: `${sessionId} is deleted for good.\n`,
    });
    expect(await runInProcess(place, ["session", "restore", sessionId])).toMatchObject({
      code: 7,
      stderr: `harness: There is no session "${sessionId}" in the bin.\n`,
    });
  });

  it("are listed and searched by folder, model, time, archive and bin", async () => {
    const sessionId = await beginOne("filtered parser");
    const old = new Date(Date.now() + 3_600_000).toISOString();
    expect(await listedIds("--model", "SCRIPTED", "--since", "1h")).toContain(sessionId);
    expect(await listedIds("--model", "other")).toEqual([]);
    expect(await listedIds("--since", old)).toEqual([]);
    expect(await listedIds("--folder", elsewhere)).not.toContain(sessionId);
    expect(await listedIds("--folder", "../gone")).toEqual([]);
    const found = async (...flags: string[]): Promise<string[]> =>
      JSON.parse((await runInProcess(place, ["session", "search", "filtered", "--json", ...flags])).stdout).hits.map(
        (hit: { sessionId: string }) => hit.sessionId,
      );
    expect(await found("--folder", ".", "--model", "scripted", "--since", "1d")).toEqual([sessionId]);
    for (const flags of [["--folder", elsewhere], ["--model", "other"], ["--since", old], ["--archived"]])
      expect(await found(...flags)).toEqual([]);
    await runInProcess(place, ["session", "archive", sessionId]);
    expect(await listedIds("--archived")).toEqual([sessionId]);
    expect(await found("--archived")).toEqual([sessionId]);
    await runInProcess(place, ["session", "delete", sessionId]);
    expect(await runInProcess(place, ["session", "list", "--archived"])).toMatchObject({
      stdout: "The archive has no sessions of this folder.\n",
    });
    const bin = await runInProcess(place, ["session", "list", "--deleted"]);
    expect(bin.stdout).toMatch(new RegExp(`${sessionId} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +30 `));
    expect(bin.stderr).toContain("harness session restore ID");
    await runInProcess(place, ["session", "delete", sessionId, "--now"]);
    expect((await runInProcess(place, ["session", "list", "--deleted"])).stdout).toBe("The bin is empty.\n");
    for (const flags of [
      ["--since", "soon"],
      ["--all", "--folder", "."],
      ["--deleted", "--archived"],
    ])
      expect(await runInProcess(place, ["session", "list", ...flags])).toMatchObject({ code: 2 });
  });

  it("are forked without being opened, for programs", async () => {
    const sessionId = await beginOne("fork me");
    const { session } = JSON.parse((await runInProcess(place, ["session", "fork", sessionId, "--json"])).stdout);
    expect(session).toMatchObject({ parent: { sessionId }, turns: 1 });
    expect(await listedIds()).toContain(session.sessionId);
    expect(await runInProcess(place, ["session", "fork", "--json"])).toMatchObject({ code: 2 });
  });

  it("are opened in the window by their title, or a fork of them", async () => {
    const { PATH, HOME, ...env } = place.env as Record<string, string>;
    await runInProcess(place, ["session", "rename", await beginOne("window talk"), "To Open"]);
    for (const command of ["resume", "fork"]) {
      const terminal = openTerminal({
        command: process.execPath,
        args: [harnessEntry, "session", command, "to open"],
        cwd: place.cwd,
        env: { ...env, HOME: HOME ?? "" },
      });
      await terminal.waitFor("window talk");
      await terminal.close();
      const { sessions } = JSON.parse((await runInProcess(place, ["session", "list", "--json"])).stdout);
      const titles = sessions.map(({ title }: { title?: string }) => title);
      expect(titles.includes("To Open (fork)")).toBe(command === "fork");
    }
  });

  it("are put into the archive and taken out", async () => {
    const sessionId = await beginOne("old news");
    expect(await runInProcess(place, ["session", "archive", sessionId])).toMatchObject({
      code: 0,
      stdout: `${sessionId} is in the archive.\n`,
    });
    expect(await listedIds()).not.toContain(sessionId);
    expect((await runInProcess(place, ["session", "show", sessionId])).stdout).toContain("old news");
    expect(await runInProcess(place, ["session", "unarchive", sessionId, "--json"])).toMatchObject({
      stdout: `${JSON.stringify({ sessionId, archived: false })}\n`,
    });
    expect(await listedIds()).toContain(sessionId);
  });

  it("are a list to choose from in the window with -r, and the message stays in the input", async () => {
    const { PATH, HOME, ...env } = place.env as Record<string, string>;
    const terminal = openTerminal({
      command: process.execPath,
      args: [harnessEntry, "-r", "--", "go on"],
      cwd: place.cwd,
      env: { ...env, HOME: HOME ?? "" },
    });
    await terminal.waitFor("the first");
    const at = terminal.screen().findIndex((row) => row.includes("the first"));
    const marked = terminal.screen().findIndex((row) => /^\s*[›>▸❯]/.test(row));
    for (let step = marked; step < at; step += 1) terminal.type("\u001b[B");
    terminal.type("\r");
    await terminal.waitFor("> go on");
    await terminal.waitFor("Hello.");
    await terminal.close();
  });
});
