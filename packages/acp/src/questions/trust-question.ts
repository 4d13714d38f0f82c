import type { HarnessClient } from "@harness/client";
import { type TrustView, visibleText } from "@harness/protocol";
import { textContent } from "../calls/block-content.ts";
import type { ClientAsker } from "../peer/client-asker.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";

type TrustDeps = { client: HarnessClient; asker: ClientAsker; writer: UpdateWriter; signal: AbortSignal };

const decisions = { trust: "trust", session: "session", refuse: "refuse" } as const;
const options = [
  { optionId: "session", name: "Use them until this session ends", kind: "allow_once" as const },
  { optionId: "trust", name: "Use them, as long as they stay as they are", kind: "allow_always" as const },
  { optionId: "later", name: "Not now", kind: "reject_once" as const },
  { optionId: "refuse", name: "Never use them", kind: "reject_always" as const },
];

/** Asks once whether files of the folder that would run, or change what harness does, may do so. */
export async function askFolderTrust(cwd: string, { client, asker, writer, signal }: TrustDeps): Promise<void> {
  const view = await client.call("trust/get", { cwd });
  if (view.state !== "untrusted" && view.state !== "changed") return;
  const toolCallId = `trust ${view.hash}`;
  const toolCall = {
    toolCallId,
    title: `Trust the files of ${view.root}?`,
    kind: "other" as const,
    status: "pending" as const,
    content: [textContent(trustText(view))],
    locations: view.items.map(({ path }) => ({ path: `${view.root}/${path}` })),
  };
  writer.send({ sessionUpdate: "tool_call", ...toolCall });
  const offered = view.refusal === undefined ? options : options.filter(({ optionId }) => optionId !== "trust");
  const answer = await asker.choose({ sessionId: writer.sessionId, toolCall, options: offered }, signal);
  const chosen = answer?.outcome.outcome === "selected" ? answer.outcome.optionId : "";
  const decision = Object.hasOwn(decisions, chosen) ? decisions[chosen as keyof typeof decisions] : undefined;
  if (decision) await client.call("trust/set", { cwd, hash: view.hash, decision });
  const status = decision === "trust" || decision === "session" ? "completed" : "failed";
  writer.send({ sessionUpdate: "tool_call_update", toolCallId, status });
}

function trustText({ items }: TrustView): string {
  const lines = items.map(({ kind, path, detail }) => `- ${kind} ${visibleText(path)}: ${visibleText(detail)}`);
  return [
    "These files would run, or change what harness does. Until they are trusted they have no effect.",
    ...lines,
  ].join("\n");
}
