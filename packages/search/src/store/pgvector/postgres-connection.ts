import type { Clock, Egress } from "@harness/core";
import { AddressRefusedError, openSocket, trustSystemAuthorities } from "@harness/host";
import { StoreError } from "../store-error.ts";
import { PostgresClient, type SqlParameter, type SqlRow, type SqlRunner } from "./postgres-client.ts";
import { hostOf, refuseClearText, tlsOf } from "./postgres-tls.ts";

export type PostgresOptions = {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  url: string;
  /** Absent: the address has it, or none is needed. */
  password?: string | undefined;
  clock: Clock;
  /** Checks the address; absent: all are allowed. */
  egress?: Egress | undefined;
};

const CONNECT_SECONDS = 10;
const IDLE_SECONDS = 60;
const CLOSE_SECONDS = 5;
/** The same work is done again after a lost connection, a deadlock, or while the server starts. */
const RETRIES = 3;
const RETRY_MS = 500;
const TEMPORARY =
  /^(ECONNRESET|EPIPE|CONNECTION_CLOSED|CONNECTION_ENDED|CONNECTION_DESTROYED|40001|40P01|57P01|57P02|57P03|53300)$/;

/** A connection to PostgreSQL, made when it is needed. All its methods reject with a `StoreError`. */
export class PostgresConnection {
  readonly #options: PostgresOptions;
  #client: Promise<PostgresClient> | undefined;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  /** The address without its password. */
  get shown(): string {
    const { url } = this.#options;
    if (!URL.canParse(url)) return "the address of the setting";
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || "5432"}${pathname}`;
  }

  rows(query: string, parameters: readonly SqlParameter[] = []): Promise<readonly SqlRow[]> {
    return this.#again((client) => client.rows(query, parameters));
  }

  /** All or nothing of it happens. Outside queries wait until it is over. */
  transaction<T>(work: (runner: SqlRunner) => Promise<T>): Promise<T> {
    return this.#again((client) => client.transaction(work));
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await (await client?.catch(() => undefined))?.end(CLOSE_SECONDS);
  }

  async #again<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      this.#client ??= this.#connect();
      const used = this.#client;
      try {
        return await work(await used);
      } catch (error) {
        if (!isOfServer(error)) this.#leave(used);
        if (trustSystemAuthorities(error)) continue;
        const code = codeOf(error);
        if (!TEMPORARY.test(code) || attempt > RETRIES) throw this.#explained(error);
        await clock.sleep(RETRY_MS * 2 ** (attempt - 1));
      }
    }
  }

  /** A client whose socket could not be opened keeps the connection, and further queries would wait for it for ever. */
  #leave(used: Promise<PostgresClient>): void {
    if (this.#client === used) this.#client = undefined;
    used.then((client) => client.end(0)).catch(() => undefined);
  }

  async #connect(): Promise<PostgresClient> {
    const { url, password, egress } = this.#options;
    if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
      throw new StoreError("The address of PostgreSQL is not valid. Example: postgres://user@localhost:5432/harness.");
    }
    const decision = egress?.leave({ purpose: "index", method: "CONNECT", url: withoutSecrets(url) }) ?? {};
    if ("refused" in decision) throw new StoreError(decision.refused);
    const host = hostOf(url);
    const ssl = tlsOf(url);
    const { default: connect } = await import("postgres");
    const open = async () => {
      const socket = await openSocket({ host, port: Number(new URL(url).port || 5432), judge: decision.judge });
      if (ssl === "require" || typeof ssl === "object") refuseClearText(socket, this.shown);
      // The package asks for the certificate of this name.
      return Object.assign(socket, { host });
    };
    const options = {
      max: 1,
      connect_timeout: CONNECT_SECONDS,
      idle_timeout: IDLE_SECONDS,
      fetch_types: false,
      onnotice: () => undefined,
      connection: { application_name: "harness" },
      ...(password !== undefined && { password }),
      ...(ssl !== undefined && { ssl }),
    };
    return new PostgresClient((nextSocket) => {
      // Its types lack the option for a socket.
      const all = { ...options, socket: nextSocket };
      return connect(url, all);
    }, open);
  }

  #explained(error: unknown): StoreError {
    if (error instanceof StoreError) return error;
    if (error instanceof AddressRefusedError) return new StoreError(error.message);
    const where = `PostgreSQL at ${this.shown}`;
    const code = codeOf(error);
    const says = error instanceof Error ? error.message : String(error);
    const row = failures.find(({ codes }) => codes.test(code));
    return new StoreError(`${where} ${row ? row.sentence : "could not do this."} It says: ${says}`);
  }
}

/** In the order of their codes: Node's, then those of PostgreSQL (its manual, appendix A). */
const failures: readonly { codes: RegExp; sentence: string }[] = [
  { codes: /^(ECONNREFUSED|ENOENT)$/, sentence: "is not running: start it, or check the address." },
  { codes: /^(ENOTFOUND|EAI_AGAIN)$/, sentence: "cannot be found: check the host's name and the network." },
  {
    codes: /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID)/,
    sentence:
      "did not prove who it is: name its authority in NODE_EXTRA_CA_CERTS; `?sslmode=require` in the address encrypts without proof.",
  },
  { codes: /^(EPROTO|ERR_SSL_|ERR_TLS_)/, sentence: "does not encrypt as harness does: check its TLS settings." },
  {
    codes: /^(ECONNRESET|EPIPE|CONNECTION_CLOSED|CONNECTION_ENDED|CONNECTION_DESTROYED|57P0)/,
    sentence:
      "ended the connection, again and again: look whether it runs, and try again. What is indexed by now is kept.",
  },
  {
    codes: /^(CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH)$/,
    sentence: "did not answer: check the address and the network.",
  },
  { codes: /^28/, sentence: "did not accept the user or the password: check the user in the address, and PGPASSWORD." },
  { codes: /^3D000$/, sentence: "does not have this database: create it, or check the address." },
  { codes: /^42501$/, sentence: "does not allow this to the user: it needs CREATE on the database." },
  { codes: /^(0A000|58P01)$/, sentence: "lacks the extension pgvector (0.7 or newer): install it there." },
  { codes: /^(53100|53200)$/, sentence: "has no space left: free some." },
];

/** The connection works: the server itself has answered. */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && error.name === "PostgresError";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function withoutSecrets(url: string): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return shown.href;
}
