import { errorText, movedText, type NewestSession, newestSession } from "@harness/client";
import type { WindowHost } from "../client/window-host.ts";
import type { MessageController } from "../session/message-controller.ts";
import type { SessionController } from "../session/session-controller.ts";
import { withText } from "../state/composer.ts";

/** Opens what the command line asked for: a stored session, a first message. */
export async function openRequested(
  host: WindowHost,
  session: SessionController,
  messages: MessageController,
): Promise<void> {
  const { store } = host;
  const { open, prompt } = host.request;
  const opened = open.how === "new" || (await openStored(host, session));
  const canSend = opened && !store.get().reading;
  if (prompt && canSend) messages.send(prompt, "queue");
  // A message meant for a session that cannot be opened must not start a new session.
  if (prompt && !canSend) store.set({ composer: withText(store.get().composer, prompt) });
  if (!opened || !prompt) void session.refreshHud();
}

/** Opens the named session, or the folder's newest; one that the user still has to choose is not open yet. */
async function openStored({ store, server, request }: WindowHost, session: SessionController): Promise<boolean> {
  const { cwd, config, open, fork } = request;
  if (open.how === "choose") return false;
  if (open.how === "id") return session.open(open.id, config, { fork });
  const problem = (error: unknown): NewestSession => ({ problems: [errorText(error)] });
  const { newest, moved, problems } = await newestSession(server, cwd).catch(problem);
  if (newest) return session.open(newest.sessionId, config, { fork });
  if (problems.length > 0) store.note("error", problems.join("\n"));
  else if (moved?.same === "repository") {
    const { sessionId } = moved.session;
    session.offer(sessionId, `${movedText(moved)} To go on with it here: /resume ${sessionId}`);
  } else store.note("info", "There are no sessions in this folder yet.");
  return false;
}
