import type { Conversation } from "./conversation.ts";
import type { ErrorDetail, ErrorDialect } from "./error-dialect.ts";
import type { Flavour } from "./flavour.ts";
import type { Frame, FrameEncoder, Oddities } from "./frame.ts";
import type { ModelShelf } from "./model-shelf.ts";
import type { Reply } from "./reply.ts";
import type { ScenarioPlayer } from "./scenario-player.ts";
import type { Slots } from "./slots.ts";
import type { WireFormat } from "./wire-format.ts";

/** What a chat endpoint works with; a new scenario is a new stage. */
export interface Stage {
  flavour: Flavour;
  shelf: ModelShelf;
  player: ScenarioPlayer;
  slots: Slots;
  variables: Readonly<Record<string, string>>;
}

/** Why the real server would refuse a chat request: a client that sends broken history is found out here, not in use. */
export type Refusal = ErrorDetail & { status: number };

export interface WireRequest {
  body: unknown;
  /** Lower-case names; credentials are cut but there. */
  headers: Readonly<Record<string, string>>;
}

/** One wire format, bound to a request. */
export interface Wire {
  readonly format: WireFormat;
  readonly streams: boolean;
  readonly streamType: string;
  readonly errors: ErrorDialect;
  readonly conversation: Conversation;
  /** What keeps a silent stream busy; undefined where the format has nothing for it. */
  readonly ping: string | undefined;
  encoder(oddities: Oddities): FrameEncoder;
  /** The id of a call to which the scenario gives none. */
  callId(key: string, index: number): string;
  refuse(): Refusal | undefined;
  /** The answer to a request that asks for no turn. */
  withoutTurn(): string | undefined;
  frames(reply: Reply): Iterable<Frame>;
  body(reply: Reply): string;
  /** An error in the middle of a stream that began with 200. */
  errorFrame(message: string, code: string | number, oddities: Oddities): Frame;
}
