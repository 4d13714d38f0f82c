// For tests: a server that answers from a table, at the other end of a linked pair.
import {
  type ClientMethods,
  type ClientNotifications,
  clientMethods,
  clientNotifications,
  protocolError,
  serverMethods,
  serverNotifications,
} from "@harness/protocol";
import { type Connection, connect, linkedPair } from "@harness/protocol/wire";
import { expect } from "vitest";

type ToClient = ClientMethods & ClientNotifications;

export const hello = {
  protocol: "harness" as const,
  protocolVersion: "1",
  serverInfo: { name: "harness", version: "0", pid: 1 },
  serverInstanceId: "i",
  capabilities: {},
  limits: { maxMessageBytes: 1, maxInFlight: 1 },
};

/** A minimal server: returns the answers of a test, and exposes the client's end. */
export function fakeServer(answers: Partial<Record<string, (params: never) => unknown>> = {}) {
  const [near, far] = linkedPair();
  const seen: { method: string; params: unknown }[] = [];
  const ended = Promise.withResolvers<void>();
  const refuse = (method: string) => () => {
    throw protocolError("method_not_found", `No ${method} here.`, { method });
  };
  const handlers = Object.fromEntries(
    Object.keys({ ...serverMethods, ...serverNotifications }).map((method) => [
      method,
      (params: never) => {
        seen.push({ method, params });
        return (answers[method] ?? { initialize: () => hello, shutdown: () => ({}) }[method] ?? refuse(method))(params);
      },
    ]),
  );
  const connection: Connection<ToClient> = connect({
    channel: far,
    defer: setImmediate,
    serve: { table: { ...serverMethods, ...serverNotifications }, handlers: handlers as never },
    call: { table: { ...clientMethods, ...clientNotifications } },
    onBug: (error) => expect.unreachable(String(error)),
    onClose: (_end, { close }) => {
      ended.resolve();
      void close();
    },
  });
  return { channel: near, connection, seen, ended: ended.promise };
}
