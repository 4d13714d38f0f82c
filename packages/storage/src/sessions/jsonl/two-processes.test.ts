import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { thisProcess } from "@harness/host";
import { appendAll, got, idle, sample, userSays, wholeSession } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

const AT = Date.UTC(2026, 10, 21);
const ID = "20261121-000000-test";
const storeModule = new URL("../session-store.ts", import.meta.url).href;

let root = "";
const children: ChildProcess[] = [];
const store = () => openStore(root, { clock: { now: () => AT } });

/** Starts a Node process with `store` and `say(line)`; its lines come back one by one. */
function otherProcess(code: string) {
  const script = `
    import { writeSync } from "node:fs";
    import { createInterface } from "node:readline";
    import { openStore } from ${JSON.stringify(storeModule)};
    const store = openStore(${JSON.stringify(root)}, { clock: { now: () => Date.now() } });
    const say = (line) => writeSync(1, line + "\\n");
    const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const at = () => new Date().toISOString();
    const header = { sessionId: ${JSON.stringify(ID)}, cwd: "/project", createdAt: at(), version: 1 };
    const user = { sessionUpdate: "user_message", messageId: "m", content: [], origin: "user" };
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const tell = (line: string) => child.stdin.write(`${line}\n`);
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  };
  return { child, next, tell, kill, lines };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "processes-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

function leaveSession(): void {
  const log = store().create({ sessionId: ID, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
  appendAll(log, [userSays("hi")], AT);
  log.close();
}

describe("two processes", () => {
  it("never both write a session: the second is refused until the first is done", async () => {
    const other = otherProcess(`
      const log = store.create(header);
      log.append({ agentId: "main", at: at(), update: user });
      say("writing");
      await input.next();
      log.close();
      say("closed");
      process.exit(0);`);
    expect(await other.next()).toBe("writing");
    expect(store().open(ID)).toMatchObject({
      kind: "locked",
      problem: expect.stringContaining(`process ${other.child.pid}`),
    });
    expect(wholeSession(store().load(ID)).facts).toHaveLength(1);
    other.tell("close");
    expect(await other.next()).toBe("closed");
    const { log } = got(store().open(ID));
    expect(appendAll(log, [idle], AT)[0]?.seq).toBe(2);
    log.close();
  });

  it("agree on one writer when they open a session at the same moment", async () => {
    leaveSession();
    const stale = { ...thisProcess("dead", "then"), pid: 2 ** 22 - 1 };
    for (const _round of sample([0, 1, 2], 1)) {
      writeFileSync(join(root, ID, "lock"), JSON.stringify(stale));
      const open = `say("ready"); await input.next();
        const opened = store.open(header.sessionId);
        say("log" in opened ? "mine" : opened.kind);
        await input.next();
        if ("log" in opened) opened.log.close();
        process.exit(0);`;
      const both = [otherProcess(open), otherProcess(open)];
      for (const each of both) expect(await each.next()).toBe("ready");
      for (const each of both) each.tell("go");
      const answers = await Promise.all(both.map((each) => each.next()));
      expect(answers.sort()).toEqual(["locked", "mine"]);
      for (const each of both) each.tell("end");
      await Promise.all(both.map((each) => once(each.child, "close")));
      expect(existsSync(join(root, ID, "lock"))).toBe(false);
    }
  });

  it("lose no acknowledged fact when one is killed while it writes", async () => {
    for (const round of sample([0, 1, 2, 3], 2)) {
      rmSync(join(root, ID), { recursive: true, force: true });
      const other = otherProcess(`
        const log = store.create(header);
        log.append({ agentId: "main", at: at(), update: user });
        log.addAgent("child", "main");
        for (let n = 0; ; n += 1) {
          const agentId = n % 3 === 0 ? "child" : "main";
          const update = { sessionUpdate: "notice", severity: "info", title: "n" + n + "x".repeat(n % 900) };
          say(String(log.append({ agentId, at: at(), update }).seq));
        }`);
      const enough = 40 + round * 35;
      let acknowledged = 0;
      while (acknowledged < enough) acknowledged = Number(await other.next());
      const gone = other.kill();
      for await (const line of other.lines) acknowledged = Number(line) || acknowledged;
      await gone;
      const { log, loaded: opened } = got(store().open(ID));
      const loaded = wholeSession(opened);
      expect(loaded.damage).toBeUndefined();
      expect(loaded.facts.length).toBeGreaterThanOrEqual(acknowledged);
      expect(loaded.facts.map((fact) => fact.seq)).toEqual(loaded.facts.map((_, index) => index + 1));
      expect(appendAll(log, [idle], AT)[0]?.seq).toBe(loaded.facts.length + 1);
      log.close();
    }
  });
});

describe("a session lock", () => {
  const lockPath = () => join(root, ID, "lock");
  const leaveLock = (owner: object | string) => {
    rmSync(join(root, ID), { recursive: true, force: true });
    leaveSession();
    mkdirSync(join(root, ID), { recursive: true });
    writeFileSync(lockPath(), typeof owner === "string" ? owner : JSON.stringify(owner));
  };
  const outcome = () => {
    const opened = store().open(ID);
    if ("problem" in opened) return opened.kind;
    opened.log.close();
    return "opened";
  };

  it("is taken over from a process that is gone", async () => {
    const other = otherProcess('say("up"); await input.next();');
    await other.next();
    const { pid } = other.child;
    await other.kill();
    leaveLock({ pid, host: hostname(), instanceId: "x", at: "then" });
    expect(outcome()).toBe("opened");
    expect(existsSync(lockPath())).toBe(false);
  });

  it("is taken over when another process now has the id of its owner", () => {
    const me = thisProcess("earlier", "then");
    leaveLock(me);
    expect(outcome()).toBe("locked");
    if (me.startTime === undefined) return;
    leaveLock({ ...me, startTime: "1@00000000" });
    expect(outcome()).toBe("opened");
  });

  it("does not become stale by its age or a jump of the clock", () => {
    leaveLock({ ...thisProcess("old", "1999-01-01T00:00:00.000Z") });
    expect(outcome()).toBe("locked");
    leaveLock({ ...thisProcess("new", "2099-01-01T00:00:00.000Z") });
    expect(outcome()).toBe("locked");
  });

  it("is never taken over from another computer, and the error gives the solution", () => {
    leaveLock({ ...thisProcess("x", "then"), host: "elsewhere", pid: 2 ** 22 - 1 });
    expect(store().open(ID)).toMatchObject({
      kind: "locked",
      problem: expect.stringMatching(/on the computer "elsewhere".*delete .*lock/),
    });
    expect(JSON.parse(readFileSync(lockPath(), "utf8"))).toMatchObject({ host: "elsewhere" });
  });

  it.each(["", "{", '{"pid":0,"host":"h","instanceId":"i"}'])(
    "is given a second when it names no owner: %j",
    (content) => {
      leaveLock(content);
      const startedAt = performance.now();
      expect(outcome()).toBe("opened");
      expect(performance.now() - startedAt).toBeGreaterThan(500);
    },
  );
});
