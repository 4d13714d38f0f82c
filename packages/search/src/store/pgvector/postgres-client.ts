import type { Socket } from "node:net";
import type postgres from "postgres";

export type SqlRow = Readonly<Record<string, unknown>>;
export type SqlParameter = string | number | boolean | null;

/** Queries in one transaction, or outside. */
export interface SqlRunner {
  rows(query: string, parameters?: readonly SqlParameter[]): Promise<readonly SqlRow[]>;
}

/**
 * One connection. Its transactions are not those of the package (`begin`, `reserve`): after a lost connection these send
 * a rollback, which ends the process (porsager/postgres, issues 1154 and 1208).
 */
export class PostgresClient implements SqlRunner {
  readonly #sql: postgres.Sql;
  readonly #open: () => Promise<Socket>;
  /** The socket of the connection as it is now; the package asks for a new one if it is lost. */
  #line: Socket | undefined;
  /** A query was answered on this socket. */
  #hasAnswered = false;
  /** Resolves when no transaction runs. */
  #free: Promise<unknown> = Promise.resolve();

  /** `connect` gets the option `socket` of the package; it sets `max: 1`. `open`: a new socket, connected. */
  constructor(connect: (socket: () => Promise<Socket>) => postgres.Sql, open: () => Promise<Socket>) {
    this.#open = open;
    this.#sql = connect(() => this.#nextLine());
  }

  /** After the transactions that were begun. Rejects with the errors of the package. */
  async rows(query: string, parameters: readonly SqlParameter[] = []): Promise<readonly SqlRow[]> {
    let free: Promise<unknown>;
    do {
      free = this.#free;
      await free;
    } while (free !== this.#free);
    return this.#run(query, parameters);
  }

  /** All or nothing of it happens; `work` asks nothing but its runner. Rejects with the errors of the package, or of `work`. */
  transaction<T>(work: (runner: SqlRunner) => Promise<T>): Promise<T> {
    const result = this.#free.then(() => this.#transact(work));
    this.#free = result.catch(() => undefined);
    return result;
  }

  /** `seconds`: how long running queries may take to end. */
  end(seconds: number): Promise<void> {
    return this.#sql.end({ timeout: seconds });
  }

  async #transact<T>(work: (runner: SqlRunner) => Promise<T>): Promise<T> {
    await this.#run("BEGIN");
    const line = this.#line;
    const isLost = () => line === undefined || line.destroyed || line !== this.#line;
    const rows: SqlRunner["rows"] = async (query, parameters = []) => {
      // The package would send it on a new connection, outside the transaction.
      if (isLost()) throw closed();
      return this.#run(query, parameters);
    };
    try {
      const result = await work({ rows });
      await rows("COMMIT");
      return result;
    } catch (error) {
      // The server has rolled back a transaction whose connection is gone.
      if (!isLost()) await this.#run("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }

  async #run(query: string, parameters: readonly SqlParameter[] = []): Promise<readonly SqlRow[]> {
    const rows = await this.#sql.unsafe(query, [...parameters], { prepare: parameters.length > 0 });
    this.#hasAnswered = true;
    return rows;
  }

  /** Without this the package tries again at once, for ever, where a server or its proxy closes each connection. */
  async #nextLine(): Promise<Socket> {
    if (this.#line && !this.#hasAnswered) throw closed();
    this.#hasAnswered = false;
    this.#line = await this.#open();
    return this.#line;
  }
}

function closed(): Error {
  return Object.assign(new Error("The connection was closed."), { code: "CONNECTION_CLOSED" });
}
