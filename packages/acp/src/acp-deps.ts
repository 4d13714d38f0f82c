import type { Readable, Writable } from "node:stream";
import type { LocalServer } from "@harness/client";

export type AcpDeps = {
  version: string;
  input: Readable;
  /** Only the protocol is written to it. */
  output: Writable;
  /** Called once, after `initialize` is answered. */
  openServer(): Promise<LocalServer>;
  /** For everything besides the protocol. */
  log(text: string): void;
};
