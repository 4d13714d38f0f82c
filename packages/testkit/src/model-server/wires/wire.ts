import type { ErrorDetail, ErrorDialect } from "../flavours/error-dialect.ts";
import type { Flavour } from "../flavours/flavour.ts";
import type { ServedModels } from "../flavours/served-models.ts";
import type { WireFormat } from "../flavours/wire-format.ts";
import type { ModelSlots } from "../http/slots.ts";
import type { ScriptedRequest } from "../story/conversation.ts";
import type { EmbeddingPlayer } from "../story/embedding-player.ts";
import type { FrameEncoder, Oddities, StreamFrame } from "../story/frame.ts";
import type { ScriptedReply } from "../story/reply.ts";
import type { ScenarioPlayer } from "../story/scenario-player.ts";

/** The state that chat endpoints share; a new scenario starts with a new one. */
export interface ServerState {
  flavour: Flavour;
  served: ServedModels;
  player: ScenarioPlayer;
  slots: ModelSlots;
  embeddings: EmbeddingPlayer;
  variables: Readonly<Record<string, string>>;
}

/** Why the real server would refuse a chat request: tests thereby detect a client that sends broken history. */
export type RequestRefusal = ErrorDetail & { status: number };

export interface WireRequest {
  body: unknown;
  /** Lower-case names; credentials are redacted except here. */
  headers: Readonly<Record<string, string>>;
}

/** One wire format, bound to a request. */
export interface Wire {
  readonly format: WireFormat;
  readonly streams: boolean;
  readonly streamType: string;
  readonly errors: ErrorDialect;
  readonly conversation: ScriptedRequest;
  /** A line that keeps a silent stream busy; undefined if the format has none. */
  readonly ping: string | undefined;
  encoder(oddities: Oddities): FrameEncoder;
  /** The id of a call without one in the scenario. */
  callId(key: string, index: number): string;
  refuse(): RequestRefusal | undefined;
  /** The response to a request that asks for no turn. */
  withoutTurn(): string | undefined;
  frames(reply: ScriptedReply): Iterable<StreamFrame>;
  body(reply: ScriptedReply): string;
  /** An error in the middle of a stream that began with 200. */
  errorFrame(message: string, code: string | number, oddities: Oddities): StreamFrame;
}
