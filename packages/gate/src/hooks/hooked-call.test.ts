import type { Fact } from "@harness/protocol";
import {
  call,
  calling,
  MemorySession,
  memoryPorts,
  ScriptedProvider,
  saying,
  usualGateSettings,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { GateCall, Requester } from "../gate-call.ts";
import { Gatekeeper } from "../gatekeeper.ts";
import { runRules } from "../rules/rule-set.ts";
import type { GateHook } from "./gate-hook.ts";

/** A gate with hooks, whose every question is answered with yes. */
function gateWith(hooks: GateHook[], deny: string[] = []) {
  const ports = memoryPorts({ provider: new ScriptedProvider([]) });
  ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
  const book = runRules({ allow: ["bash(npm test)"], deny }, [{ name: "bash" }, { name: "read" }]);
  const modes = {
    session: () => ({ permission: "allow-all", agent: "agent" }) as const,
    permission: () => "allow-all" as const,
    refusal: () => undefined,
  };
  const gate = new Gatekeeper({ ...ports, runtime: ports, gateSettings: usualGateSettings }, book, modes, () => hooks);
  const facts: Fact[] = [];
  const requester: Requester = {
    agentId: "main",
    turnId: "turn-1",
    signal: new AbortController().signal,
    record: (fact) => facts.push(fact),
    whileAsking: (ask) => ask(),
  };
  const judge = (command: string) => gate.evaluate(callOf(command, ports.log.header.cwd), requester);
  return { judge, ports, facts };
}

const callOf = (command: string, cwd: string): GateCall => ({
  agentId: "main",
  toolCallId: command,
  tool: "bash",
  category: "destructive",
  title: `bash ${command}`,
  effects: [{ kind: "run", command, cwd }],
  foundInText: false,
  preview: async () => undefined,
});

const throws: GateHook = () => Promise.reject(new Error("bug"));
const everyWay = ["ls", "npm test", "make", "sudo make"];

describe("row 66: a hook at the gate", () => {
  it("denies a call when it fails, also one that readers, rules, modes or people would allow", async () => {
    for (const command of everyWay) {
      const { judge, ports } = gateWith([throws]);
      const outcome = await judge(command);
      expect(outcome, command).toMatchObject({ verdict: "denied" });
      expect("text" in outcome && outcome.text).toContain("is refused: a hook that checks calls has failed");
      expect(ports.asker.permissions).toEqual([]);
      expect(ports.audit.decisions).toMatchObject([{ verdict: "denied", by: "hook", auto: true }]);
    }
  });

  it("denies a call when its time is over", async () => {
    const called = Promise.withResolvers<void>();
    const hook: GateHook = () => {
      called.resolve();
      return new Promise(() => undefined);
    };
    const { judge, ports } = gateWith([hook]);
    const outcome = judge("npm test");
    await called.promise;
    ports.clock.advance(30_000);
    expect(await outcome).toMatchObject({ verdict: "denied", text: expect.stringContaining("longer than 30 s") });
  });

  it("allows nothing by having no objection", async () => {
    const hook: GateHook = async () => undefined;
    const { judge, ports } = gateWith([hook], ["bash(npm publish)"]);
    expect(await judge("npm publish")).toMatchObject({
      verdict: "denied",
      text: expect.stringContaining("npm publish"),
    });
    await judge("sudo make");
    expect(ports.asker.permissions).toHaveLength(1);
  });

  it("has a call asked about that rules and modes would allow, and allows nothing that a rule denies", async () => {
    const { judge, ports } = gateWith([async () => ({ ask: "is it the right branch?" })], ["bash(npm publish)"]);
    expect(await judge("npm test")).toMatchObject({ verdict: "allowed" });
    expect(ports.asker.permissions).toMatchObject([
      { reason: expect.stringContaining("a hook asks for your approval: is it the right branch?") },
    ]);
    expect(await judge("npm publish")).toMatchObject({ verdict: "denied" });
    expect(ports.asker.permissions).toHaveLength(1);
  });

  it("is not called when a rule denies, and receives every effect of a call", async () => {
    const seen: unknown[] = [];
    const hook: GateHook = async (call) => {
      seen.push(call);
      return { deny: "not on a Friday" };
    };
    const { judge } = gateWith([hook], ["bash(npm publish)"]);
    await judge("npm publish");
    expect(seen).toEqual([]);
    expect(await judge("make")).toMatchObject({
      text: expect.stringContaining("is refused by a hook: not on a Friday"),
    });
    expect(seen).toMatchObject([{ tool: "bash", effects: [{ kind: "run", command: "make" }], agentId: "main" }]);
  });

  it("refuses the calls of a session that was opened with it, and the model gets the reason", async () => {
    const memory = new MemorySession({
      script: [calling(call("a", "write", { file_path: "a.txt", content: "" })), saying("done")],
      gateHooks: [async () => ({ deny: "the release is frozen" })],
    });
    await memory.say("go");
    expect(JSON.stringify(memory.provider.requests.at(-1))).toContain("is refused by a hook: the release is frozen");
  });
});
