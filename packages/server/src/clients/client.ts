import type { BufferOffer } from "@harness/core";
import type { Caller, ClientMethods, ClientNotifications } from "@harness/protocol";

/** One connected client, as sessions and handlers know it. */
export type Client = {
  readonly name: string;
  /** Aborts when the connection is lost. */
  readonly closed: AbortSignal;
  /** Set once, before any request of the client is served. */
  peer: Peer;
  /** Set by `initialize`; no other request is answered before it. */
  profile: ClientProfile | undefined;
};

/** `ready`: resolves when the client has taken its queued messages; undefined while it keeps up. */
type Peer = Caller<ClientMethods & ClientNotifications> & { ready(most?: number): Promise<void> | undefined };

type ClientProfile = {
  name: string;
  /** A controller may prompt and answer; an observer only reads. */
  role: "controller" | "observer";
  canAnswerPermissions: boolean;
  canAnswerQuestions: boolean;
  /** Whether it gives the text of open files, and takes one. */
  buffers: BufferOffer;
  /** Kinds of update that this client does not want. */
  optOut: ReadonlySet<string>;
};
