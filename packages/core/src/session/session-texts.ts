import { type PinnedFile, ROOT_AGENT, type SeenFile } from "@harness/protocol";
import type { AssembledSystemText } from "../context/system/system-prompt.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { SessionTexts, TextChange } from "../ports/live-session.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** Implements the user's control over the texts at the beginning of requests. */
export function sessionTexts(scope: Scope, root: Agent, queue: TurnQueue): SessionTexts {
  return {
    pin(files: PinnedFile[], seen: SeenFile[]) {
      if (queue.isClosed || !queue.resumeLog()) return false;
      const update = { sessionUpdate: "pin_update" as const, files, ...(seen.length > 0 ? { seen } : {}) };
      scope.journal.record({ agentId: ROOT_AGENT, update });
      return true;
    },
    refresh: () =>
      queue.betweenTurns<{ changes: TextChange[] } | { problem: string }>(
        (problem) => ({ problem }),
        async () => {
          const { models, system } = scope.requests;
          const choice = models.current ?? (await models.choose({ fresh: false }));
          if ("problem" in choice) return choice;
          await root.settle(choice, system);
          const before = root.systemSections;
          system.forget();
          for (const agent of scope.agents.values()) agent.textsForgotten();
          await root.settle(choice, system);
          return { changes: changesBetween(before, root.systemSections) };
        },
      ),
  };
}

function changesBetween(before: AssembledSystemText["sections"], now: AssembledSystemText["sections"]): TextChange[] {
  const [old, fresh] = [textsOf(before), textsOf(now)];
  const names = new Set([...old.keys(), ...fresh.keys()]);
  return [...names].flatMap((name): TextChange[] => {
    const [then, text] = [old.get(name), fresh.get(name)];
    if (then === text) return [];
    return [{ name, how: then === undefined ? "new" : text === undefined ? "gone" : "changed" }];
  });
}

function textsOf(sections: AssembledSystemText["sections"]): Map<string, string> {
  return new Map(sections.flatMap(({ pieces }) => pieces.map(({ name, text }) => [name, text] as const)));
}
