import type { Tool } from "@harness/core";
import type { PermissionOutcome } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, probeTool, saying, usualGateSettings } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { CallPreview } from "../gate-call.ts";

const chosen: PermissionOutcome = { outcome: "selected", optionId: "allow_once" };
type Setup = Partial<ConstructorParameters<typeof MemorySession>[0]>;

/** Writes with this preview; returns the request and its outcome. */
async function written(path: string, preview: CallPreview, { options, ...setup }: Setup = {}, alone = false) {
  const [, plain] = memoryTools();
  if (!plain) throw new Error("no write tool");
  let runs = 0;
  const run: Tool["run"] = async () => {
    runs += 1;
    return { status: "ok", text: "written", blocks: [] };
  };
  const memory = new MemorySession({
    script: [calling(call("a", "write", { file_path: path, content: "new" })), saying("done")],
    tools: [{ ...plain, preview: async () => preview, run }],
    ...setup,
    options: { permission_mode: "default", ...options },
  });
  memory.ports.asker.onPermission = () => chosen;
  if (alone) memory.ports.asker.isThere = false;
  await memory.say("go");
  expect(memory.states.live).toEqual(memory.states.folded);
  const outcome = memory.facts("tool_call_update").at(-1)?.outcome;
  return { outcome, runs, questions: memory.ports.asker.permissions, audit: memory.ports.audit };
}

describe("a call that would certainly fail", () => {
  const problem = "read it first";

  it("is answered without asking, and does not run", async () => {
    const { outcome, runs, questions, audit } = await written("src/x", { problem });
    expect(outcome).toMatchObject({ status: "error", text: problem });
    const told = await written("src/x", { problem, shown: "It was not read." });
    expect(told.outcome).toMatchObject({ text: problem, blocks: [{ type: "text", text: "It was not read." }] });
    expect({ runs, questions }).toEqual({ runs: 0, questions: [] });
    expect(audit.decisions).toMatchObject([{ verdict: "cancelled", by: "preview" }]);
  });

  it.each<[string, Setup, boolean, string]>([
    ["where nobody can be asked", { options: { permission_mode: "default" } }, true, "error"],
    ["in the mode deny", { options: { permission_mode: "deny" } }, false, "error"],
    ["but not where a rule denies it", { options: { rules: { allow: [], deny: ["write"] } } }, false, "denied"],
    ["but not of a protected file", {}, true, "denied"],
  ])("is answered so %s", async (name, setup, alone, status) => {
    const path = name.includes("protected") ? ".git/hooks/x" : "src/x";
    const { outcome, runs, questions } = await written(path, { problem }, setup, alone);
    expect({ runs, questions, status: outcome?.status }).toEqual({ runs: 0, questions: [], status });
    expect(outcome?.text === problem).toBe(status === "error");
  });

  it.each<[string, string, Setup]>([
    ["secret", "src/.env", {}],
    ["elsewhere", "/etc/x", {}],
    ["denied to reads", "src/x", { options: { rules: { allow: [], deny: ["read(src/x)"] } } }],
    ["read only when asked", "src/x", { ports: { gateSettings: () => ({ ...usualGateSettings(), strict: true }) } }],
  ])("is asked about when its error would reveal something about a file that is %s", async (_kind, path, setup) => {
    const { outcome, runs, questions } = await written(path, { problem }, setup);
    expect(questions[0]?.preview).toEqual([
      { type: "text", text: `This would change nothing. The model would be told: ${problem}` },
    ]);
    expect({ runs, status: outcome?.status }).toEqual({ runs: 1, status: "ok" });
  });

  it("is answered without asking when it is only a request, whose error is about its address", async () => {
    const memory = new MemorySession({
      script: [calling(call("a", "web", {})), saying("done")],
      tools: [
        {
          ...probeTool("web", () => ({ status: "ok", text: "1", blocks: [] })),
          effects: () => [{ kind: "reach", url: "http://169.254.169.254/" }],
          preview: async () => ({ problem: "a metadata service is never reached" }),
        },
      ],
      options: { permission_mode: "default" },
    });
    await memory.say("go");
    expect(memory.ports.asker.permissions).toEqual([]);
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({
      status: "error",
      text: "a metadata service is never reached",
    });
  });
});
