import { connect as connectSocket } from "node:net";
import { inTime, type SocketLocations } from "@harness/host";
import { type LiveSessionView, PROTOCOL_VERSION, ProtocolError, serverMethods } from "@harness/protocol";
import { byteStream, connect, lineChannel } from "@harness/protocol/wire";

/** A server that is busy for so long is named, and not waited for. */
const PATIENCE_MS = 2_000;

type OtherSessions = { sessions: LiveSessionView[]; problems: string[] };

/** The sessions that the other servers of this person hold. Throws a `SocketFolderError`. */
export async function sessionsOfOthers(place: SocketLocations, version: string): Promise<OtherSessions> {
  const others = place.all().filter(({ pid }) => pid !== process.pid);
  const problems: string[] = [];
  const sessions = await Promise.all(
    others.map(async ({ pid, path }) => {
      const held = await heldBy(path, version);
      if (held === undefined) problems.push(`The server with process id ${pid} does not answer.`);
      return (held ?? []).map((session) => ({ ...session, pid, socketPath: path }));
    }),
  );
  return { sessions: sessions.flat(), problems };
}

/** Undefined: it does not answer. None: it has just ended. */
async function heldBy(path: string, version: string) {
  const socket = connectSocket(path);
  const connection = connect({
    channel: lineChannel(byteStream({ readable: socket, writable: socket })),
    defer: setImmediate,
    serve: { table: {}, handlers: {} },
    call: { table: serverMethods },
    onBug: () => undefined,
    onClose: () => undefined,
  });
  const ask = async () => {
    await connection.call("initialize", {
      protocolVersions: [PROTOCOL_VERSION],
      clientInfo: { name: "harness-server", version },
      role: "observer",
    });
    return (await connection.call("server/status", {})).sessions;
  };
  try {
    return await inTime(ask(), undefined, PATIENCE_MS);
  } catch (error) {
    return error instanceof ProtocolError && error.kind === "closed" ? [] : undefined;
  } finally {
    connection.destroy();
  }
}

/** True if a server accepts connections there. */
export function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(path);
    const done = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => done(true)).once("error", () => done(false));
  });
}
