import type { ModelRequest } from "../ports/provider.ts";
import type { SessionOptions, SessionPorts } from "../ports/session-ports.ts";
import type { SessionExtensions } from "../session/open-session.ts";
import type { CallFate } from "./call-ledger.ts";
import type { RecordedOpening, RecordedRequest } from "./recorded-request.ts";

/** A session as it would be opened now. */
export type OpenedReplay = { ports: SessionPorts; options: SessionOptions; extensions: SessionExtensions };

/** The place in the session, for people: turns and requests are counted from 1. */
export type ReplayAddress = { turn: number; request: number; agentId: string };

/** A request as it would be made now. `textAt`: the part of the system text with this character. */
export type RebuiltRequest = {
  request: Pick<ModelRequest, "model" | "system" | "messages" | "tools">;
  textAt(offset: number): string | undefined;
};

/** A call that would be decided in another way now. `why`: a sentence. */
export type OtherFate = { title: string; recorded: CallFate; now: CallFate | "answered"; why: string };

/** Hears what is replayed. */
export interface ReplayWatch {
  /** The next request is built: sources say what they said at its time. */
  before(recorded: RecordedRequest): void;
  request(
    recorded: RecordedRequest,
    rebuilt: RebuiltRequest | { problem: string },
    place: ReplayAddress,
  ): Promise<void>;
  /** `other`: undefined if it would be decided in the same way. */
  call(other: OtherFate | undefined, place: ReplayAddress): void;
}

/** Opens the session as it was before the fact with this number, with the flags of then, and the settings of now. */
export type OpenReplay = (opening: RecordedOpening, before: number) => OpenedReplay;
