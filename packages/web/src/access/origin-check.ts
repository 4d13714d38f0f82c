import { hostname, networkInterfaces } from "node:os";

/** The names under which the page may be asked for. Any other name is that of a stranger's page (DNS rebinding). */
export class OriginCheck {
  readonly scheme: "http" | "https";
  readonly #hosts: ReadonlySet<string>;
  readonly #names: readonly string[];

  constructor({ scheme, port, isShared }: { scheme: "http" | "https"; port: number; isShared: boolean }) {
    this.scheme = scheme;
    const usual = scheme === "https" ? 443 : 80;
    this.#names = ["127.0.0.1", "localhost", ...(isShared ? sharedNames() : [])];
    this.#hosts = new Set(this.#names.flatMap((name) => [`${name}:${port}`, ...(port === usual ? [name] : [])]));
  }

  /** The address of the machine for other devices, or its own. */
  get name(): string {
    return this.#names[2] ?? "127.0.0.1";
  }

  /** Of the header `Host`. */
  isHost(host: string | undefined): boolean {
    return host !== undefined && this.#hosts.has(host.toLowerCase());
  }

  /** Of the header `Origin`, which browsers send with each WebSocket and each POST. */
  isOrigin(origin: string | undefined): boolean {
    const [scheme, host] = origin?.split("://") ?? [];
    return scheme === this.scheme && this.isHost(host);
  }
}

/** Addresses first: a phone may not resolve the name. */
function sharedNames(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
  const name = hostname().toLowerCase();
  return [...addresses, name, `${name}.local`];
}
