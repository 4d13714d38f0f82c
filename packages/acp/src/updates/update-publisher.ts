import {
  type FactKind,
  goalNotice,
  type Permission,
  type SessionUpdate,
  type UpdateOf,
  type UpdateView,
} from "@harness/protocol";
import { CallPublisher } from "../calls/call-publisher.ts";
import type { CallView } from "../calls/call-view.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";
import { planOf } from "./plan.ts";
import { ReplyPublisher } from "./reply-publisher.ts";
import { userChunks } from "./user-message.ts";

export type PublisherOptions = {
  /** The agent whose session it is. */
  ownerId: string;
  writer: UpdateWriter;
  /** True if the client sent this prompt itself, and shows it. */
  isOwnPrompt(promptId: string): boolean;
  /** The session's configuration has changed. */
  onConfig(): void;
  /** The name of a subagent, for its calls. */
  agentName(agentId: string): string;
};

type Publishing = PublisherOptions & {
  replies: ReplyPublisher;
  calls: CallPublisher;
  agentId: string;
  /** Names the update, for a message that it becomes. */
  id: string;
  at: string | undefined;
};
type Kind = FactKind | "agent_message_chunk" | "agent_thought_chunk" | "tool_output_chunk" | "compaction_status";
type Publish<K extends Kind> = (update: UpdateOf<K>, to: Publishing) => void;
type PublishTable = { readonly [K in Kind]?: Publish<K> };

/** Updates of any agent. */
const ofAgents: PublishTable = {
  early_call: ({ call }, { calls }) => calls.written([call]),
  agent_message: ({ parts }, { calls }) => calls.written(parts),
  tool_call_update: (update, { agentId, calls }) => calls.change(agentId, update),
  tool_output_chunk: (update, { calls }) => calls.output(update),
  permission_requested({ permission }, to) {
    if (!permission.review) to.calls.asked(permission, nameOf(to.agentId, to));
  },
};

/** Updates of the agent whose session it is. */
const ofMain: PublishTable = {
  agent_message_chunk: (update, { replies }) => replies.chunk(update),
  agent_thought_chunk: (update, { replies }) => replies.chunk(update),
  agent_message: ({ messageId, parts }, { replies }) => replies.whole(messageId, parts),
  retry: (update, { replies }) => replies.void(update),
  user_message(update, { writer, isOwnPrompt }) {
    if (update.promptId !== undefined && isOwnPrompt(update.promptId)) return;
    for (const chunk of userChunks(update)) writer.send(chunk);
  },
  state_update: ({ output }, { writer, id }) => writer.text(output ?? "", id),
  notice: ({ severity, title, description }, { writer, id }) => writer.notice(severity, { id, title, description }),
  context_update: ({ reason, title }, { writer, id }) =>
    writer.notice(reason === "refused" ? "warning" : "info", { id, title }),
  goal_update(update, { writer, id }) {
    const shown = goalNotice(update);
    if (shown) writer.notice(shown.severity, { id, ...shown });
  },
  todo_update: ({ todos }, { writer }) => writer.send(planOf(todos, { byId: writer.takesPlanIds })),
  session_info_update: ({ title }, { writer, at }) =>
    writer.send({ sessionUpdate: "session_info_update", title, ...(at === undefined ? {} : { updatedAt: at }) }),
  config_option_update: (_update, { onConfig }) => onConfig(),
  compaction_status({ compactionId, phase }, { writer }) {
    if (writer.takesCompactions && phase !== "ended")
      writer.send({ sessionUpdate: "compaction_update", compactionId, status: "in_progress" });
  },
  compaction_update({ compactionId, summary }, { writer, id }) {
    if (!writer.takesCompactions) writer.notice("info", { id, title: "Older messages were summarised to make room." });
    else
      writer.send({
        sessionUpdate: "compaction_update",
        compactionId,
        status: "completed",
        summary: [{ type: "text", text: summary }],
      });
  },
};

/** Sends the updates of a session as they happen. */
export class UpdatePublisher implements UpdateView {
  readonly #options: PublisherOptions;
  readonly #replies: ReplyPublisher;
  readonly #calls: CallPublisher;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#replies = new ReplyPublisher(options.writer);
    this.#calls = new CallPublisher(options.writer, options.ownerId);
  }

  /** Exactly the description of the call that the client was shown. */
  asked(permission: Permission): CallView {
    const name = nameOf(permission.agentId, this.#options);
    return this.#calls.view(permission) ?? this.#calls.asked(permission, name);
  }

  /** Nothing more is sent by itself. */
  close(): void {
    this.#calls.close();
  }

  see({ agentId, at, seq, update }: SessionUpdate): void {
    const id = `n${seq ?? at}`;
    const to = { ...this.#options, replies: this.#replies, calls: this.#calls, agentId, id, at };
    publish(ofAgents, update, to);
    if (agentId === this.#options.ownerId) publish(ofMain, update, to);
  }
}

function publish(table: PublishTable, update: SessionUpdate["update"], to: Publishing): void {
  const row: unknown = table[update.sessionUpdate as Kind];
  // The compiler cannot see that a row and its update have the same kind.
  if (row) (row as (update: SessionUpdate["update"], to: Publishing) => void)(update, to);
}

/** The name of another agent than the one whose session it is. */
function nameOf(agentId: string, { ownerId, agentName }: Pick<PublisherOptions, "ownerId" | "agentName">) {
  return agentId === ownerId ? undefined : agentName(agentId);
}
