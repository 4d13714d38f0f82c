import type { PermissionMode, PermissionOutcome } from "@harness/protocol";
import { call, calling, commandTool, MemorySession, memoryTools, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const chose = (optionId: string): PermissionOutcome => ({ outcome: "selected", optionId });
const write = (id: string, path: string) => call(id, "write", { file_path: path, content: id });
const run = (id: string, command: string) => call(id, "bash", { command });

/** A session in `/work`, where the command `swap` puts a link to `/elsewhere` in its place. */
function session(parts: ReturnType<typeof call>[][], permissionMode: PermissionMode, canAsk = true) {
  let isSwapped = false;
  const bash = commandTool(({ command }) => {
    isSwapped ||= command === "swap";
    return { status: "ok", text: "1", blocks: [] };
  });
  const files = memoryTools(new Map([["/work/a", "a"]])).filter(({ name }) => name !== "bash");
  const memory = new MemorySession({
    script: parts.flatMap((each) => [calling(...each), saying("done")]),
    tools: [...files, bash],
    options: { permission_mode: permissionMode, rules: { allow: ["bash(swap)"], deny: [] } },
    ports: {
      paths: {
        real: async (path: string) => (isSwapped ? path.replace(/^\/work/, "/elsewhere") : path),
        identity: async (path: string) => `${isSwapped} ${path}`,
      },
    },
  });
  memory.ports.asker.isThere = canAsk;
  return memory;
}

const statuses = (memory: MemorySession) =>
  Object.fromEntries(
    memory
      .facts("tool_call_update")
      .flatMap(({ toolCallId, outcome }) => (outcome ? [[toolCallId, outcome.status]] : [])),
  );
const reason = "works in /elsewhere: /work leads there now, and was not a link when the session was opened";

describe("a workspace that becomes a link", () => {
  const touching = [call("r", "read", { file_path: "a" }), write("w", "b"), run("c", "npm test")];

  it.each<PermissionMode>(["default", "accept-edits", "allow-all"])(
    "stops every call that touches files in %s",
    async (mode) => {
      const memory = session([[run("s", "swap")], touching], mode);
      memory.ports.asker.onPermission = () => chose("reject_once");
      await memory.say("go");
      await memory.say("on");
      expect(
        memory.ports.asker.permissions.map(({ toolCallId, reason: why, risk }) => [toolCallId, why, risk]),
      ).toEqual(["r", "w", "c"].map((id) => [id, reason, "high"]));
      expect(statuses(memory)).toEqual({ s: "ok", r: "denied", w: "denied", c: "denied" });
      expect(memory.facts("notice")).toMatchObject([
        {
          title: "A folder of the workspace now leads somewhere else.",
          description: expect.stringContaining("/work now leads to /elsewhere; before, it was not a link."),
        },
      ]);
    },
  );

  it("stops calls of the very reply in which that came about", async () => {
    const memory = session([[run("s", "swap"), write("w", "b")]], "accept-edits", false);
    await memory.say("go");
    expect(statuses(memory)).toEqual({ s: "ok", w: "denied" });
  });

  it("is reported to the model if nobody can be asked", async () => {
    const memory = session([[run("s", "swap")], touching], "allow-all", false);
    await memory.say("go");
    await memory.say("on");
    expect(statuses(memory)).toEqual({ s: "ok", r: "denied", w: "denied", c: "denied" });
    const text = memory.facts("tool_call_update").at(-1)?.outcome?.text;
    expect(text).toContain(`${reason}; it is asked in every mode, and nobody can be asked in this run`);
  });

  it("is the workspace from then on when a person says so, once for all calls", async () => {
    const memory = session([[run("s", "swap")], touching, [write("x", "c")]], "accept-edits");
    memory.ports.asker.onPermission = () => chose("allow_once");
    await memory.say("go");
    await memory.say("on");
    await memory.say("on");
    expect(memory.ports.asker.permissions.map(({ toolCallId, reason: why }) => [toolCallId, why])).toEqual([
      ["r", reason],
      ["c", "runs a command"],
    ]);
    expect(statuses(memory)).toEqual({ s: "ok", r: "ok", w: "ok", c: "ok", x: "ok" });
  });

  it("has no file read that the person mentions, before it is meant", async () => {
    const memory = session([[run("s", "swap")], [write("w", "b")]], "default");
    expect(await memory.session.mentionRefusal("/work/a")).toBeUndefined();
    memory.ports.asker.onPermission = () => chose("reject_once");
    await memory.say("go");
    expect(await memory.session.mentionRefusal("/work/a")).toContain("/work leads to /elsewhere now");
    memory.ports.asker.onPermission = () => chose("allow_once");
    await memory.say("on");
    expect(await memory.session.mentionRefusal("/work/a")).toBeUndefined();
  });

  it("says what the answer means, and offers nothing else", async () => {
    const memory = session([[run("s", "swap")], [write("w", "b")]], "default");
    memory.ports.asker.onPermission = () => chose("reject_once");
    await memory.say("go");
    await memory.say("on");
    expect(memory.ports.asker.permissions[0]).toMatchObject({
      options: [{ kind: "allow_once", name: "Yes, work there" }, { kind: "reject_once" }],
    });
  });
});
