import { createInterface, type Interface } from "node:readline";
import { CliError } from "../../process/exit-codes.ts";
import { readSecret } from "../read-secret.ts";
import type { SubcommandContext } from "../run-subcommand.ts";
import { chooseOnTerminal, Menu, type MenuRow, rowNamed } from "./menu.ts";

/** Asks the user: on a terminal with a list to move in, otherwise by lines, which a script can write. */
export class SetupPrompter {
  readonly #asking: SubcommandContext["stopping"];
  readonly #note: SubcommandContext["note"];
  readonly #isTerminal = process.stdin.isTTY && process.env.TERM !== "dumb";
  #lines: Interface | undefined;
  #next: AsyncIterator<string> | undefined;

  constructor({ stopping, note }: Pick<SubcommandContext, "stopping" | "note">) {
    this.#asking = stopping;
    this.#note = note;
  }

  /** The index of the chosen row; undefined if there is none. */
  async choose(question: string, rows: readonly MenuRow[]): Promise<number | undefined> {
    if (this.#isTerminal) return chooseOnTerminal(rows, { question, ...this.#asking });
    this.#note([question, "", ...new Menu(rows).lines(Number.POSITIVE_INFINITY, { plain: true }), ""].join("\n"));
    const line = await this.#line("Number: ");
    return line === undefined || line === "" ? undefined : rowNamed(rows, line);
  }

  /** A line of text; undefined if there was none. */
  async text(question: string): Promise<string | undefined> {
    const line = await this.#line(question);
    return line === "" ? undefined : line;
  }

  /** A key, which the terminal does not show. */
  async secret(question: string): Promise<string | undefined> {
    if (process.stdin.isTTY) return readSecret({ question, ...this.#asking });
    return this.text(question);
  }

  close(): void {
    this.#lines?.close();
  }

  async #line(question: string): Promise<string | undefined> {
    if (process.stdin.isTTY) return this.#typed(question);
    this.#lines ??= createInterface({ input: process.stdin, terminal: false });
    this.#next ??= this.#lines[Symbol.asyncIterator]();
    const { done, value } = await this.#next.next();
    return done ? undefined : value.trim();
  }

  /** One readline interface per question: between them the terminal is read key by key. */
  async #typed(question: string): Promise<string | undefined> {
    const { signal, interrupt } = this.#asking;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    lines.on("SIGINT", interrupt);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    lines.question(question, { signal }, resolve);
    lines.once("close", () => resolve(undefined));
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    const line = await promise;
    lines.close();
    return line?.trim();
  }
}

/** An unanswered choice is not a failure, and changes nothing. */
export function leftOpen(): CliError {
  return new CliError("interrupted", "Nothing was changed.");
}
