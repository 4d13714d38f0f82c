import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import type { McpLoginStore } from "../ports/pool-ports.ts";

/** The login to one server. Client and tokens belong to the authorization server that issued them. */
type McpLogin = {
  /** By issuer. */
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens?: StoredOAuthTokens;
  /** ms since 1970; absent: unknown. */
  readonly expiresAt?: number;
  /** The port of the redirect address that the clients were registered with. */
  readonly redirectPort?: number;
};

/** The login of one server. */
export class ServerLogin {
  readonly #store: McpLoginStore;
  readonly #server: string;

  constructor(store: McpLoginStore, server: string) {
    this.#store = store;
    this.#server = server;
  }

  get current(): McpLogin {
    const stored = this.#store.read(this.#server);
    // The file is ours, and private: anything in a different form is from another version.
    const isLogin = typeof stored === "object" && stored !== null && "clients" in stored;
    return isLogin ? (stored as McpLogin) : { clients: {} };
  }

  change(next: (login: McpLogin) => McpLogin): void {
    this.#store.write(this.#server, next(this.current));
  }

  remove(): void {
    this.#store.write(this.#server, undefined);
  }

  locked<T>(task: () => Promise<T>): Promise<T> {
    return this.#store.locked(this.#server, task);
  }
}
