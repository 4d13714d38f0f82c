import type { Clock } from "@harness/gate";
import { isAlive } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { CheckedFolder, fakeRow } from "../../test/checked-folder.ts";

const open: CheckedFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.close()));
});

function folderWith(
  faults: string[],
  setup: Partial<ConstructorParameters<typeof CheckedFolder>[0]> = {},
): CheckedFolder {
  const folder = new CheckedFolder({ rows: [fakeRow(faults)], ...setup });
  open.push(folder);
  return folder;
}

/** A clock whose waits end at once, and whose time is set by the test. */
function setClock() {
  const time = { ms: 1_000_000 };
  const clock: Clock = { now: () => time.ms, monotonicMs: () => time.ms, sleep: () => Promise.resolve() };
  return { time, clock };
}

describe("a server that does not do its work", () => {
  it("hangs: the edit goes on, and its result says so", async () => {
    const folder = folderWith(["hangs"], { waitMs: 400 });
    const text = await folder.edit("1", { "a.txt": "ERR x" });
    expect(text).toMatch(
      /^Diagnostics after these edits: Not checked: a\.txt \(fake (did not answer in time|is still starting)\)\.$/,
    );
  });

  it("hangs at its start: the same", async () => {
    const folder = folderWith(["hangs-at-start"], { waitMs: 400 });
    expect(await folder.edit("1", { "a.txt": "ERR x" })).toContain("Not checked: a.txt (fake is still starting).");
  });

  it("hangs for half a minute: it is ended", async () => {
    const ends: (() => void)[] = [];
    const clock: Clock = {
      ...setClock().clock,
      // Only the limit of an answer is over.
      sleep: (ms) => new Promise((end) => (ms === 30_000 ? end() : ends.push(end))),
    };
    const folder = folderWith(["hangs"], { clock });
    const text = folder.edit("1", { "a.txt": "ERR x" });
    expect(await text).toContain("Not checked: a.txt (fake did not answer within 30 seconds).");
    const [server] = folder.servers.all;
    expect(server?.problem).toBe("did not answer within 30 seconds");
    expect(server?.pid).toBeUndefined();
  });

  it("does not read what it is sent: what waits for it is bounded, and it is ended", async () => {
    const folder = folderWith(["deaf"], { waitMs: 200 });
    await folder.edit("1", { "a.txt": "fine" });
    const [server] = folder.servers.all;
    const text = "x".repeat(999_000);
    for (let at = 0; at < 80 && server?.problem === undefined; at++)
      server?.noteChanges([{ uri: `file:///nowhere/${text}`, type: 2 }]);
    expect(server?.problem).toBe("reads nothing");
    expect(server?.pid).toBeUndefined();
  });

  it("answers with findings of no form, at no place: they are left out, and words are cut", async () => {
    const folder = folderWith(["lies"]);
    const text = await folder.edit("1", { "a.txt": "fine" });
    expect(text).toMatch(/\na\.txt:1:1: error: x{500,600}…?\n/);
    expect(text).toContain("1 new error after");
    expect(text).not.toMatch(/far away|between/);
  });

  it.each([["registers-much"], ["floods-findings"]])("%s: it goes on, and nothing of it is kept", async (fault) => {
    const folder = folderWith([fault]);
    expect(await folder.edit("1", { "a.txt": "ERR x" })).toContain("a.txt:1:1: error fake: x");
    expect(folder.servers.findings).toHaveLength(1);
  });

  it.each([
    ["dies-at-start", "fake ended with code 2: no license for this"],
    ["huge", "fake sent a message of 50 MB"],
    ["floods", "fake sent more messages than are read"],
    ["garbage", "fake sent a message that is not JSON"],
  ])("%s: it is ended, and the words say why", async (fault, words) => {
    const folder = folderWith([fault]);
    await folder.edit("1", { "a.txt": "ERR x" });
    const [server] = folder.servers.all;
    expect(`${server?.name} ${server?.problem}`).toContain(words);
    expect(server?.pid).toBeUndefined();
  });

  it("dies in the middle: the verdict is not that of the text before", async () => {
    const folder = folderWith(["dies-on-change"]);
    folder.put("a.txt", "fine\n");
    expect(await folder.edit("1", { "a.txt": "ERR x\n" })).toMatch(/Not checked: a\.txt \(fake .*ended with code 3/);
  });

  it.each([
    ["older", "push-old"],
    ["later", "push-future"],
  ])("pushes findings for an %s version: they do not count", async (_, fault) => {
    const folder = folderWith([fault], { waitMs: 400 });
    folder.put("a.txt", "fine\n");
    expect(await folder.edit("1", { "a.txt": "ERR x\n" })).toContain("Not checked: a.txt");
  });

  it("pushes findings without a version: they do not count, and that is said", async () => {
    const folder = folderWith(["push-versionless"]);
    expect(await folder.edit("1", { "a.txt": "ERR x\n" })).toContain(
      "Not checked: a.txt (fake does not say for which version of a file its findings are).",
    );
    expect(await folder.edit("1", { "a.txt": "ERR y\n" })).toBeUndefined();
  });

  it("uses too much memory: it is ended", async () => {
    const folder = folderWith([], { maxMemoryBytes: 1_000_000 });
    await folder.edit("1", { "a.txt": "ERR x" });
    const [server] = folder.servers.all;
    expect(server?.memoryBytes).toBeGreaterThan(1_000_000);
    server?.watchMemory();
    expect(server?.problem).toBe("used more than 1 MB");
  });
});

describe("a server that wants more than to look", () => {
  it.each([
    ["applies-edit", '{"applied":false,"failureReason":"Only the agent changes files here."}', "asked to change files"],
    ["shows-document", '{"success":false}', "asked to open a document or a browser"],
  ])("%s: it is refused, with words", async (fault, answer, words) => {
    const folder = folderWith([fault]);
    await folder.edit("1", { "a.txt": "fine" });
    await folder.edit("1", { "a.txt": "still fine" });
    expect(folder.log).toContain(`answer ${answer}`);
    expect(folder.servers.all[0]?.refused[0]).toContain(words);
  });
});

describe("a server that has ended", () => {
  it("is started again after a pause, and not for ever, which is said once", async () => {
    const { time, clock } = setClock();
    const folder = folderWith(["dies-at-start"], { clock, waitMs: 0 });
    const [server] = await folder.servers.of(folder.path("a.txt"), folder.folder);
    const states: (string | undefined)[] = [];
    for (const pause of [0, 500, 600, 10_000, 60_000, 600_000]) {
      time.ms += pause;
      await server?.ready();
      states.push(server?.state);
    }
    expect(states).toEqual(["waiting", "waiting", "waiting", "waiting", "given-up", "given-up"]);
    expect(folder.starts).toBe(4);
  });

  it.each([["the workspace is closed"], ["it used too much memory"]])("has no children left when %s", async (how) => {
    const folder = folderWith(["forks"], { maxMemoryBytes: 1_000_000, isMarked: true });
    await folder.edit("1", { "a.txt": "fine" });
    const children = folder.log.flatMap((line) => /^child (\d+)$/.exec(line)?.[1] ?? []).map(Number);
    expect(children.map(isAlive)).toEqual([true, true]);
    if (how === "the workspace is closed") await folder.servers.close();
    else folder.servers.all[0]?.watchMemory();
    while (children.some(isAlive)) await new Promise(setImmediate);
  });

  it("and its group are gone when the workspace is closed", async () => {
    const folder = folderWith(["stays"]);
    await folder.edit("1", { "a.txt": "fine" });
    const pid = folder.servers.all[0]?.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    await folder.servers.close();
    expect(isAlive(pid)).toBe(false);
  });
});
