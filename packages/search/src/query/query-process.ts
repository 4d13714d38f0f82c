import type { Environment } from "@harness/host";
import { WorkerProcess } from "../workers/worker-process.ts";
import type { QueryCall, QueryName, QueryReply, QueryTable } from "./process/messages.ts";

const PROGRAM = { bundled: "search-query.mjs", source: "../query/process/main.ts" };
/** After this long without questions the process ends: it then holds memory for nothing. */
const IDLE_MS = 300_000;

type AnswerWait = { resolve(answer: unknown): void; reject(error: Error): void };

/** An index that could not be searched; the message is a sentence for people. */
export class IndexReadError extends Error {
  override readonly name = "IndexReadError";
}

/** Starts the process that searches indexes with the first question, so that this program can do other work meanwhile. */
export class QueryProcess {
  readonly #env: Environment;
  readonly #waiting = new Map<number, AnswerWait>();
  #worker: WorkerProcess<QueryCall, QueryReply> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Rejects with an `IndexReadError`. */
  ask<Name extends QueryName>(name: Name, ask: QueryTable[Name]["ask"]): Promise<QueryTable[Name]["answer"]> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as QueryTable[Name]["answer"]), reject });
      worker.keepsProcessAlive = true;
      worker.send({ id, name, ask } as QueryCall);
    });
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#worker?.kill();
  }

  #start(): WorkerProcess<QueryCall, QueryReply> {
    const worker = new WorkerProcess<QueryCall, QueryReply>(PROGRAM, this.#env, {
      onReport: (reply) => this.#hear(worker, reply),
      onEnd: (how) => this.#end(worker, how),
    });
    return worker;
  }

  #hear(worker: WorkerProcess<QueryCall, QueryReply>, reply: QueryReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) {
      worker.keepsProcessAlive = false;
      this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
    }
    if ("problem" in reply) waiting?.reject(new IndexReadError(reply.problem));
    else waiting?.resolve(reply.answer);
  }

  #end(worker: WorkerProcess<QueryCall, QueryReply>, how: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values())
      reject(new IndexReadError(`The process that searches the index ${how}. Try again.`));
    this.#waiting.clear();
  }
}
