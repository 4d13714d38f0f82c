import { factViewContract, memoryPorts, ScriptedProvider, usualGateSettings } from "@harness/testkit";
import { SessionGrants } from "./answers/session-grants.ts";
import { Gatekeeper } from "./gatekeeper.ts";
import { runRules } from "./rules/rule-set.ts";
import { TurnRules } from "./rules/turn-rules.ts";
import { SecretReads } from "./secret-reads.ts";

factViewContract({
  name: "whether secrets were read",
  open() {
    const view = new SecretReads();
    return { view, kept: () => view.saw };
  },
});

factViewContract({
  name: "the answers of a session",
  open() {
    const view = new SessionGrants();
    const grant = { tool: "write", kind: "plain" } as const;
    view.add(grant, "2026-11-21T14:00:00.000Z");
    view.add(grant, "2026-11-21T14:00:00.000Z", { agentId: "main", turnId: "t1" });
    return { view, kept: () => view.views };
  },
});

factViewContract({
  name: "the rules of a turn",
  open() {
    const view = new TurnRules();
    view.allow("main", ["write"], { tools: [{ name: "write", subject: "path" }], where: "/home/me/commands/fix.md" });
    return { view, kept: () => view.views };
  },
});

factViewContract({
  name: "the gate of a session",
  open() {
    const ports = memoryPorts({ provider: new ScriptedProvider([]) });
    const view = new Gatekeeper(
      { ...ports, runtime: ports, gateSettings: usualGateSettings },
      runRules({ allow: [], deny: [] }, []),
      {
        session: () => ({ permission: "default", agent: "agent" }),
        permission: () => "default",
        refusal: () => undefined,
      },
    );
    view.allowForTurn("main", ["write"], { tools: [{ name: "write", subject: "path" }], where: "/commands/fix.md" });
    return { view, kept: () => view.rules() };
  },
});
