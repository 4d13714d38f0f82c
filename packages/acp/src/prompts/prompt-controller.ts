import { randomUUID } from "node:crypto";
import type { PromptRequest, PromptResponse } from "@agentclientprotocol/sdk/unstable";
import { errorText, type HarnessClient, isOutsideRefusal, type PromptOptions, type Session } from "@harness/client";
import type { SlashLine } from "@harness/client/commands";
import type { Content } from "@harness/protocol";
import { codeFence } from "../calls/code-fence.ts";
import { isServerCommand, slashLineOf } from "../commands/available-commands.ts";
import { clientCommands } from "../commands/client-commands.ts";
import type { ClientFolders } from "../files/client-folders.ts";
import type { ClientAsker } from "../peer/client-asker.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";
import { confirmsOutside } from "../questions/outside-question.ts";
import { askFolderTrust } from "../questions/trust-question.ts";
import { messageContent } from "./message-content.ts";
import { PromptWait } from "./prompt-wait.ts";
import { promptWishes } from "./prompt-wishes.ts";
import { promptAnswer } from "./stop-reason.ts";

type PromptDeps = {
  client: HarnessClient;
  session: Session;
  asker: ClientAsker;
  folders: ClientFolders;
  /** Of the session, once it is open. */
  writer(): UpdateWriter;
  /** A command has ended that started no turn. */
  commandEnded(): void;
};

type PromptContext = { cancelled: AbortSignal; wishes: PromptOptions };
/** A prompt that was sent, a command that was started, or one that was cancelled before. */
type BegunPrompt = { ended: Promise<PromptResponse> };
type CommandAnswer = { text: string; turnId?: string | undefined };

/** The prompts of a client in one session, from their arrival to their answers. */
export class PromptController {
  readonly waits = new PromptWait();
  readonly #deps: PromptDeps;
  /** Prompts that the server has not accepted yet, each with what cancels it. */
  readonly #sending = new Map<string, AbortController>();
  /** The prompt before the next one has been sent, or was not. */
  #last: Promise<unknown> = Promise.resolve();
  #isTrustAsked = false;

  constructor(deps: PromptDeps) {
    this.#deps = deps;
  }

  async prompt(request: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const promptId = randomUUID();
    const cancelled = new AbortController();
    this.#sending.set(promptId, cancelled);
    const cancel = () => {
      cancelled.abort();
      // The connection may be ending, and the server with it.
      void this.cancel().catch(() => undefined);
    };
    if (signal.aborted) cancelled.abort();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { ended } = await this.#inOrder(() => this.#begun(promptId, request, cancelled.signal));
      return await ended;
    } finally {
      this.#sending.delete(promptId);
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Stops the turn, and takes back all that waits: each prompt is answered as cancelled. */
  async cancel(): Promise<void> {
    for (const cancelled of this.#sending.values()) cancelled.abort();
    for (const promptId of this.waits.queued) {
      if (this.#sending.has(promptId)) continue;
      if (await this.#deps.session.unqueue(promptId)) this.waits.cancelled(promptId);
    }
    await this.#deps.session.cancel();
  }

  async #askTrust(signal: AbortSignal): Promise<void> {
    if (this.#isTrustAsked) return;
    this.#isTrustAsked = true;
    const { client, session, asker, writer } = this.#deps;
    await askFolderTrust(session.terms.cwd, { client, asker, writer: writer(), signal });
    // It was withdrawn with its prompt.
    if (signal.aborted) this.#isTrustAsked = false;
  }

  /** A prompt may have to wait for answers of the person before it is sent: those behind it wait with it. */
  #inOrder(begin: () => Promise<BegunPrompt>): Promise<BegunPrompt> {
    const begun = this.#last.then(begin);
    this.#last = begun.catch(() => undefined);
    return begun;
  }

  async #begun(promptId: string, { prompt, _meta }: PromptRequest, cancelled: AbortSignal): Promise<BegunPrompt> {
    if (!cancelled.aborted) await this.#askTrust(cancelled);
    const line = slashLineOf(prompt);
    const command = line && (await this.#command(line));
    const { client, session, folders } = this.#deps;
    const place = { client, cwd: session.terms.cwd, folders };
    const content = command ? [] : await messageContent(prompt, place);
    if (cancelled.aborted) return { ended: Promise.resolve(promptAnswer("cancelled")) };
    if (command) return { ended: this.#runCommand(promptId, command) };
    return await this.#send(promptId, content, { cancelled, wishes: promptWishes(_meta) });
  }

  async #send(promptId: string, content: readonly Content[], way: PromptContext): Promise<BegunPrompt> {
    const ended = this.waits.add(promptId);
    // It is awaited once the server has accepted the prompt.
    ended.catch(() => undefined);
    try {
      const { turnId, disposition } = await this.#accepted(promptId, content, way);
      if (turnId !== undefined && disposition === "started") this.waits.started(promptId, turnId);
    } catch (error) {
      if (way.cancelled.aborted) this.waits.cancelled(promptId);
      else this.waits.failed(promptId, error);
    }
    this.#sending.delete(promptId);
    if (way.cancelled.aborted) await this.cancel();
    return { ended };
  }

  /** A message that mentions files outside the workspace is sent once the person has said that they mean them. */
  async #accepted(promptId: string, content: readonly Content[], { cancelled: signal, wishes }: PromptContext) {
    try {
      return await this.#deps.session.prompt(content, { promptId, ...wishes });
    } catch (error) {
      if (!isOutsideRefusal(error)) throw error;
      const question = { promptId, reason: errorText(error), signal };
      if (!(await confirmsOutside(question, { asker: this.#deps.asker, writer: this.#deps.writer() }))) throw error;
      return await this.#deps.session.prompt(content, { promptId, allowOutside: true, ...wishes });
    }
  }

  /** Undefined if there is no command of that name: the line is a message. */
  async #command({ name, args }: SlashLine): Promise<(() => Promise<CommandAnswer>) | undefined> {
    const { client, session, writer } = this.#deps;
    const { sessionId } = writer();
    if (await isServerCommand(client, sessionId, name)) return () => session.command({ name, args });
    const own = Object.hasOwn(clientCommands, name) ? clientCommands[name] : undefined;
    if (!own) return undefined;
    const context = { client, session, sessionId };
    return async () => ({ text: await own.run(args, context) });
  }

  async #runCommand(promptId: string, run: () => Promise<CommandAnswer>): Promise<PromptResponse> {
    const { text, turnId } = await run();
    // Columns stay columns.
    this.#deps.writer().text(text.includes("\n") ? codeFence(text) : text, `command-${promptId}`);
    if (turnId === undefined) {
      this.#deps.commandEnded();
      return promptAnswer("end_turn");
    }
    const ended = this.waits.add(promptId);
    this.waits.started(promptId, turnId);
    return await ended;
  }
}
