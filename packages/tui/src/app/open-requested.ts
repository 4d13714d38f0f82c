import type { Server } from "../client/connect-server.ts";
import { errorText } from "../client/server-errors.ts";
import type { MessageController } from "../session/message-controller.ts";
import type { SessionController } from "../session/session-controller.ts";
import { withText } from "../state/composer.ts";
import type { Store } from "../state/store.ts";
import type { WindowRequest } from "../state/window-request.ts";

type Parts = { session: SessionController; messages: MessageController; server: Server; store: Store };

/** Opens what the command line asked for: a stored session, a first message. */
export async function openRequested(request: Omit<WindowRequest, "server">, parts: Parts): Promise<void> {
  const { session, messages, store } = parts;
  const { open, prompt } = request;
  const opened = open.how === "new" || (await openStored(open, request, parts));
  const canSend = opened && !store.get().reading;
  if (prompt && canSend) messages.send(prompt, "queue");
  // A message meant for a session that cannot be opened must not start another one.
  if (prompt && !canSend) {
    const { composer } = store.get();
    store.dispatch({ type: "composerChanged", composer: withText(composer, prompt) });
  }
  if (!opened || !prompt) void session.refreshHud();
}

async function openStored(
  open: Exclude<WindowRequest["open"], { how: "new" }>,
  { config, cwd }: Pick<WindowRequest, "config" | "cwd">,
  { session, server, store }: Parts,
): Promise<boolean> {
  if (open.how === "id") return session.open(open.id, config);
  const problem = (error: unknown) => ({ sessions: [], problems: [errorText(error)] });
  const { sessions, problems = [] } = await server.call("session/list", { cwd, limit: 1 }).catch(problem);
  const [found] = sessions;
  if (found) return session.open(found.sessionId, config);
  const note =
    problems.length > 0
      ? { severity: "error" as const, text: problems.join("\n") }
      : { severity: "info" as const, text: "No session of this folder is stored yet." };
  store.dispatch({ type: "noted", note });
  return false;
}
