import { type PullUpdate, pullText } from "@harness/client/actions";
import type { CallParams, ServerMethods } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

/** `harness model pull NAME`, also `PROVIDER/NAME`: uses the first running server that downloads models. */
export const modelPullSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say } = visit;
  const [named = ""] = line.positionals;
  const { providers } = await client.call("providers/list", {});
  const pulling = providers.filter(({ pulls }) => pulls);
  const meant = pulling.find(({ id }) => named.startsWith(`${id}/`));
  const provider = (meant ?? pulling[0])?.id;
  if (provider === undefined)
    throw new CliError(
      "config",
      "No server that can download models, such as Ollama, is running. `harness providers` says what each needs.",
    );
  const model = await pull(visit, provider, meant ? named.slice(provider.length + 1) : named);
  say(`${model} is installed. Use it with: harness -m ${provider}/${model}`);
  return "done";
};

type PullContext = Pick<SubcommandContext, "client" | "notices" | "note" | "progress" | "stopping">;

/** Lets a server download a model, and shows the progress; returns the server's name for it. */
export function pull(
  { client, notices, note, progress, stopping }: PullContext,
  provider: string,
  model: string,
): Promise<string> {
  const display = progress
    ? {
        show: (update: PullUpdate) => progress.write(`${update.model}: ${pullText(update)}`),
        end: () => progress.end(),
      }
    : new ProgressNotes(note);
  return pullShown(display, { client, notices, signal: stopping.signal }, { provider, model });
}

type ProgressDisplay = { show(update: PullUpdate): void; end(): void };
type PullOptions = Pick<SubcommandContext, "client" | "notices"> & { signal: AbortSignal };

/** The same, with the progress shown by the caller. */
export async function pullShown(
  progress: ProgressDisplay,
  { client, notices, signal }: PullOptions,
  request: CallParams<ServerMethods, "models/pull">,
): Promise<string> {
  notices["models/pull_update"] = (update) => progress.show(update);
  try {
    return (await client.call("models/pull", request, { signal })).model;
  } finally {
    delete notices["models/pull_update"];
    progress.end();
  }
}

/** One line for each quarter, for logs. */
export class ProgressNotes {
  readonly #note: (text: string) => void;
  #last: string | undefined;

  constructor(note: (text: string) => void) {
    this.#note = note;
  }

  show(update: PullUpdate): void {
    const { status, completed = 0, total = 0 } = update;
    const step = total > 0 ? `${Math.floor((completed / total) * 4)}` : status;
    if (step === this.#last) return;
    this.#last = step;
    this.#note(`${update.model}: ${pullText(update)}`);
  }

  end(): void {
    this.#last = undefined;
  }
}
