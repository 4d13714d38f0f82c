import { resumeHere } from "@harness/client/actions";
import type { CallParams, Result, ServerMethods } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";

/** Sessions whose folder is gone: one goes on in this folder when it was moved here, or when it is opened again. */
export class GoneFolders {
  readonly #host: Pick<WindowHost, "server" | "store" | "request">;
  #offered: string | undefined;

  constructor(host: Pick<WindowHost, "server" | "store" | "request">) {
    this.#host = host;
  }

  /** Undefined, with a note: the person has to say so first. */
  async resume(
    params: CallParams<ServerMethods, "session/resume">,
  ): Promise<Result<ServerMethods, "session/resume"> | undefined> {
    const { server, request } = this.#host;
    const { cwd, isFolderNamed } = request;
    const wanted = params.sessionId;
    const opened = await resumeHere(server, params, { cwd, isWanted: isFolderNamed || this.#offered === wanted });
    if (!("gone" in opened)) return opened;
    this.offer(wanted, `${opened.gone.text} To go on with it in ${cwd}, open it again: /resume ${wanted}`);
    return undefined;
  }

  offer(sessionId: string, text: string): void {
    this.#offered = sessionId;
    this.#host.store.note("warning", text);
  }
}
