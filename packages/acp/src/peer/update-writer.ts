import {
  type ClientCapabilities,
  methods,
  type NoticeSeverity,
  type SessionNotification,
} from "@agentclientprotocol/sdk/unstable";
import type { ClientPeer } from "./client-peer.ts";

type AcpUpdate = SessionNotification["update"];
type NoticeText = { id: string; title: string; description?: string | undefined };

/** The updates of one session on their way to the client, in order. */
export class UpdateWriter {
  readonly sessionId: string;
  readonly #peer: ClientPeer;
  readonly #capabilities: ClientCapabilities;
  /** Until the client knows the session; undefined from then on. */
  #held: AcpUpdate[] | undefined = [];

  constructor(sessionId: string, peer: ClientPeer, capabilities: ClientCapabilities) {
    this.sessionId = sessionId;
    this.#peer = peer;
    this.#capabilities = capabilities;
  }

  /** The client knows the session: sends what has happened until now. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) this.send(update);
  }

  send(update: AcpUpdate): void {
    if (this.#held) return void this.#held.push(update);
    const params: SessionNotification = { sessionId: this.sessionId, update };
    // A client that has gone ends the connection, which says so.
    this.#peer.notify(methods.client.session.update, params).catch(() => undefined);
  }

  /** Only a client that draws compactions gets them. */
  get takesCompactions(): boolean {
    return this.#capabilities.session?.compaction != null;
  }

  /** Subagents are sessions of their own. */
  get takesSubagents(): boolean {
    return this.#capabilities.subagents != null;
  }

  /** For a subagent; the client knows it once it is announced. */
  below(agentId: string): UpdateWriter {
    const writer = new UpdateWriter(`${this.sessionId}/${agentId}`, this.#peer, this.#capabilities);
    writer.release();
    return writer;
  }

  /** Plans have ids, and can be taken away. */
  get takesPlanIds(): boolean {
    return this.#capabilities.plan != null;
  }

  /** A client that takes no notices gets a message of this id instead, unless it is only information. */
  notice(severity: NoticeSeverity, { id, title, description }: NoticeText): void {
    if (this.#capabilities.session?.notices) {
      this.send({ sessionUpdate: "notice", severity, title, ...(description === undefined ? {} : { description }) });
      return;
    }
    if (severity !== "info") this.text([title, description].filter(Boolean).join("\n\n"), id);
  }

  /** A message of the agent, as a piece of it. */
  text(text: string, messageId: string): void {
    if (text === "") return;
    this.send({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
  }

  thought(text: string, messageId: string): void {
    if (text === "") return;
    this.send({ sessionUpdate: "agent_thought_chunk", messageId, content: { type: "text", text } });
  }
}
