import type { SessionUpdate as AcpUpdate } from "@agentclientprotocol/sdk/unstable";
import {
  type AgentRun,
  type AgentState,
  clipText,
  type Permission,
  ROOT_AGENT,
  type SessionUpdate,
  type UpdateOf,
  type UpdateView,
  visibleText,
} from "@harness/protocol";
import type { CallView } from "../calls/call-view.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";
import { type PublisherOptions, UpdatePublisher } from "./update-publisher.ts";

/** A subagent as a client has it: a session below that of its parent. */
type ChildSession = { writer: UpdateWriter; parent: UpdateWriter; publisher: UpdatePublisher; shownState: string };
type ChildState = Extract<AcpUpdate, { sessionUpdate: "subagent_update" }>["state"];
/** Its task says what it is for; the name is that of its definition. */
type ChildTask = Pick<UpdateOf<"subagent_update">, "task" | "name">;

const MAX_TITLE = 80;
const MAX_TASK = 4_000;

/** Sends the updates of a session. Subagents are sessions of their own for clients that announce this. */
export class SessionPublisher implements UpdateView {
  readonly #options: Omit<PublisherOptions, "ownerId">;
  readonly #main: UpdatePublisher;
  /** By the ids of their agents. */
  readonly #children = new Map<string, ChildSession>();

  constructor(options: Omit<PublisherOptions, "ownerId">) {
    this.#options = options;
    this.#main = new UpdatePublisher({ ...options, ownerId: ROOT_AGENT });
  }

  see(event: SessionUpdate): void {
    const { agentId, update } = event;
    if (!this.#options.writer.takesSubagents) {
      this.#main.see(event);
      return;
    }
    if (update.sessionUpdate === "subagent_update") {
      const child = this.#announced(update.childAgentId, agentId, update);
      tellState(child, stateOfRun(update.state));
    }
    if (agentId === ROOT_AGENT) {
      this.#main.see(event);
      return;
    }
    const child = this.#child(agentId);
    if (update.sessionUpdate === "state_update") tellState(child, stateOf(update));
    child.publisher.see(event);
  }

  /** Exactly the description of the call that the client was shown, and the session in which it was. */
  asked(permission: Permission): { sessionId: string; call: CallView } {
    const { writer } = this.#options;
    if (!writer.takesSubagents || permission.agentId === ROOT_AGENT)
      return { sessionId: writer.sessionId, call: this.#main.asked(permission) };
    const child = this.#child(permission.agentId);
    return { sessionId: child.writer.sessionId, call: child.publisher.asked(permission) };
  }

  /** For the conversation of a stored agent; undefined if the client is not shown it. */
  writerOf({ agentId, parentAgentId = ROOT_AGENT, task = "", name, run }: AgentState): UpdateWriter | undefined {
    const { writer } = this.#options;
    if (agentId === ROOT_AGENT) return writer;
    if (!writer.takesSubagents) return undefined;
    const child = this.#announced(agentId, parentAgentId, { task, name });
    tellState(child, stateOfRun(run ?? "completed"));
    return child.writer;
  }

  /** The subagent whose session has this id. */
  agentOf(sessionId: string): string | undefined {
    return [...this.#children].find(([, { writer }]) => writer.sessionId === sessionId)?.[0];
  }

  /** Nothing more is sent by itself. */
  close(): void {
    this.#main.close();
    for (const { publisher } of this.#children.values()) publisher.close();
  }

  /** One whose start was before the client followed the session is announced when it does something. */
  #child(agentId: string): ChildSession {
    return (
      this.#children.get(agentId) ?? this.#announced(agentId, ROOT_AGENT, { task: this.#options.agentName(agentId) })
    );
  }

  #announced(agentId: string, parentId: string, { task, name }: ChildTask): ChildSession {
    const known = this.#children.get(agentId);
    if (known) return known;
    const parent = parentId === ROOT_AGENT ? this.#options.writer : this.#child(parentId).writer;
    const writer = this.#options.writer.below(agentId);
    const publisher = new UpdatePublisher({ ...this.#options, writer, ownerId: agentId });
    const child: ChildSession = { writer, parent, publisher, shownState: "" };
    this.#children.set(agentId, child);
    const [line = ""] = task.trim().split("\n", 1);
    parent.send({
      sessionUpdate: "subagent_update",
      sessionId: writer.sessionId,
      title: clipText(visibleText(name ?? line), MAX_TITLE),
      description: clipText(task, MAX_TASK),
      capabilities: { cancel: {} },
    });
    return child;
  }
}

function tellState(child: ChildSession, state: ChildState): void {
  const shownState = JSON.stringify(state);
  if (shownState === child.shownState) return;
  child.shownState = shownState;
  child.parent.send({ sessionUpdate: "subagent_update", sessionId: child.writer.sessionId, state });
}

function stateOfRun(run: AgentRun): ChildState {
  if (run === "running") return { state: "running" };
  if (run === "failed") return { state: "idle" };
  return { state: "idle", stopReason: run === "completed" ? "end_turn" : "cancelled" };
}

/** That it is idle comes with how it ended. */
function stateOf({ state }: UpdateOf<"state_update">): ChildState {
  return { state: state === "requires_action" ? "requires_action" : "running" };
}
