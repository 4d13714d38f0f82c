import type { Agent, ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContextOptions } from "node:tls";
import type { SocksProxy } from "socks";

type ConnectCallback = (error: Error | null, socket: Duplex) => void;
type TlsOptions = ClientRequestArgs & SecureContextOptions & { servername?: string };
type AgentClass = new (options: Record<string, unknown>) => Agent;

/** Version 4 accepts only IPv4 addresses; versions `a` and `h` leave name resolution to the proxy. */
const VERSIONS: Readonly<Record<string, { type: 4 | 5; resolvesHere: boolean }>> = {
  "socks:": { type: 5, resolvesHere: false },
  "socks4:": { type: 4, resolvesHere: true },
  "socks4a:": { type: 4, resolvesHere: false },
  "socks5:": { type: 5, resolvesHere: true },
  "socks5h:": { type: 5, resolvesHere: false },
};

/** An agent of Node's whose connections go through a SOCKS proxy. */
export function socksAgent(
  Agent: AgentClass,
  proxy: URL,
  { keepAlive, isSecure }: { keepAlive: boolean; isSecure: boolean },
): Agent {
  class SocksAgent extends Agent {
    override createConnection(wanted: TlsOptions, connected?: ConnectCallback): Duplex | undefined {
      connect(proxy, wanted, isSecure).then(
        (socket) => connected?.(null, socket),
        (error: unknown) => connected?.(error as Error, undefined as unknown as Duplex),
      );
      return undefined;
    }
  }
  return new SocksAgent({ keepAlive });
}

async function connect(proxy: URL, wanted: TlsOptions, isSecure: boolean): Promise<Socket> {
  const version = VERSIONS[proxy.protocol] ?? { type: 5, resolvesHere: false };
  const name = wanted.host ?? "";
  const host = version.resolvesHere ? await addressOf(name, version.type) : name;
  const { SocksClient } = await import("socks");
  const to: SocksProxy = {
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: Number(proxy.port),
    type: version.type,
    ...(proxy.username === "" ? {} : { userId: decodeURIComponent(proxy.username) }),
    ...(proxy.password === "" ? {} : { password: decodeURIComponent(proxy.password) }),
  };
  const destination = { host, port: Number(wanted.port) };
  const opening = SocksClient.createConnection({ proxy: to, destination, command: "connect", set_tcp_nodelay: true });
  const { socket } = await opening.catch(({ message }: Error) => {
    // The library's error contains the password, and the code of the connection only in its text.
    const code = /^\w+ (E[A-Z_]+)/.exec(message)?.[1] ?? "ERR_SOCKS";
    throw Object.assign(new Error("the SOCKS proxy gave no connection"), { code });
  });
  return isSecure ? await secured(socket, wanted) : socket;
}

async function addressOf(name: string, version: 4 | 5): Promise<string> {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  return (await lookup(name, version === 4 ? { family: 4 } : {})).address;
}

function secured(socket: Socket, wanted: TlsOptions): Promise<Socket> {
  const { connect: secure } = process.getBuiltinModule("node:tls");
  return new Promise((resolve, reject) => {
    const { host, port, path: _path, ...options } = wanted;
    const tls = secure({ ...options, socket, servername: wanted.servername ?? host ?? "" }, () => resolve(tls));
    tls.once("error", reject);
  });
}
