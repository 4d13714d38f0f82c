import { LineAsks } from "../../lines/asking/line-asks.ts";
import { LineInput } from "../../lines/line-input.ts";
import type { Lines } from "../../lines/lines.ts";
import { terminalLines } from "../../lines/terminal-lines.ts";
import { needsLines } from "../../process/plain-terminal.ts";
import type { SubcommandContext } from "../run-subcommand.ts";
import { clientOf, type ReachableSession } from "./live-session.ts";

const LEAVE_HINT = "Ctrl+D leaves it open.";

/**
 * Asks about everything that a live session waits for: permissions, reviews and questions, one after another. A request
 * that another client answers first is taken away.
 */
export async function answerSession(session: ReachableSession, { client, stopping }: SubcommandContext): Promise<void> {
  const { sessionId, cwd } = session;
  const left = new AbortController();
  const input = answerInput(left, stopping);
  const stop = AbortSignal.any([left.signal, stopping.signal]);
  const lines = unlessLeft(
    terminalLines(input, async () => {
      const { settings } = await client.call("settings/get", { cwd });
      return settings.find(({ key }) => key === "editor")?.value;
    }),
    stop,
  );
  const asks = new LineAsks(lines, cwd, () => void holder.call("session/cancel", { sessionId }).catch(() => undefined));
  const open = new Set<Promise<unknown>>();
  const wait = <T>(answer: Promise<T>): Promise<T> => {
    open.add(answer);
    return answer.finally(() => open.delete(answer));
  };
  const holder = await clientOf(session, {
    onPermission: ({ permission }, signal) => wait(asks.permission(permission, AbortSignal.any([signal, stop]))),
    onLost() {
      lines.print("The server of this session has ended. harness -r opens the session again.");
      left.abort();
    },
    onQuestion: (question, signal) => wait(asks.question(question, AbortSignal.any([signal, stop]))),
  });
  // Before anything is answered: a client that has gone leaves its requests to the next one.
  stop.addEventListener("abort", () => holder.destroy());
  try {
    input.print(LEAVE_HINT);
    await holder.call("session/resume", { sessionId, replay: { type: "none" } });
    do {
      await Promise.all(open);
      // Its answer comes after everything that was open before, and the server has read the answers of here by then.
      await holder.call("permission/list", { sessionId });
    } while (open.size > 0);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    input.close();
    holder.destroy();
  }
}

function answerInput(left: AbortController, { interrupt }: SubcommandContext["stopping"]): LineInput {
  const { stdin: input, stdout: output, env } = process;
  return new LineInput({
    ...{ input, output },
    editing: needsLines(env) ? undefined : { complete: async () => [] },
    onStray: () => undefined,
    onInterrupt: ({ hadText }) => {
      if (!hadText) interrupt();
    },
    onEnd: () => left.abort(),
    onGone: () => left.abort(),
  });
}

/** The end of the input is no answer here, and nothing is said about what stays open. */
function unlessLeft(lines: Lines, stop: AbortSignal): Lines {
  return {
    ...lines,
    print: (text) => {
      if (!stop.aborted) lines.print(text);
    },
  };
}
