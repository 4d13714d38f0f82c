import { errorText, missingThing } from "@harness/client";
import { MAX_IMAGES, TOO_MANY_IMAGES } from "@harness/client/actions";
import type { CallParams, Result, ServerMethods } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import { attachments } from "../state/attachments.ts";

type Source = CallParams<ServerMethods, "image/load">["source"];

export type PictureDeps = {
  /** The terminal's answer: the picture in the clipboard as base64, or why there is none; undefined: it cannot tell. */
  readTerminalClipboard(): Promise<{ readonly data: string } | { readonly problem: string } | undefined>;
  /** True if the window runs on a different machine than the user's clipboard. */
  readonly isRemote: boolean;
};

/** Manages the pictures of the next message. */
export class PictureController {
  readonly #host: WindowHost;
  readonly #deps: PictureDeps;
  #last: Promise<void> = Promise.resolve();

  constructor(host: WindowHost, deps: PictureDeps) {
    this.#host = host;
    this.#deps = deps;
  }

  /** Resolves when all requested pictures have been read. */
  get settled(): Promise<void> {
    return this.#last;
  }

  /** Adds a file of the user's choice; a problem is shown. */
  async add(path: string): Promise<void> {
    await this.#inOrder(async () => {
      const problem = await this.#load(this.#file(path));
      if (problem !== undefined) this.#host.store.note("error", problem.message);
    });
  }

  /** Adds dropped files. If none can be read, the paste was text: `typed` inserts it. */
  async addDropped(paths: readonly string[], typed: () => void): Promise<void> {
    await this.#inOrder(async () => {
      const problems: string[] = [];
      for (const path of paths) {
        const problem = await this.#load(this.#file(path));
        if (problem) problems.push(problem.message);
      }
      if (problems.length === paths.length) typed();
      for (const problem of problems) this.#host.store.note("warning", problem);
    });
  }

  /** Adds the picture in the clipboard: through a program of the platform, or through the terminal. */
  async paste(): Promise<void> {
    await this.#inOrder(async () => {
      const { isRemote } = this.#deps;
      // Over a remote connection, a program here sees a different clipboard than the user's.
      if (isRemote && (await this.#pasteByTerminal())) return;
      const problem = await this.#load({ from: "clipboard" });
      if (!problem) return;
      if (!isRemote && problem.noProgram && (await this.#pasteByTerminal())) return;
      this.#host.store.note("warning", problem.message);
    });
  }

  /** A picture in a form that the terminal accepts; undefined: it cannot be drawn. */
  async draw(box: CallParams<ServerMethods, "image/draw">): Promise<Result<ServerMethods, "image/draw"> | undefined> {
    return await this.#host.server.call("image/draw", box).catch(() => undefined);
  }

  /** Removes the picture with this number, counted from 1; false: there is none. */
  drop(number: number): boolean {
    const { store } = this.#host;
    const { pictures } = attachments.of(store.get());
    if (number < 1 || number > pictures.length) return false;
    attachments.change(store, { pictures: pictures.filter((_, at) => at !== number - 1) });
    return true;
  }

  /** Removes all and returns their number. */
  clear(): number {
    const { store } = this.#host;
    const { length } = attachments.of(store.get()).pictures;
    if (length > 0) attachments.change(store, { pictures: [] });
    return length;
  }

  #file(path: string): Source {
    return { from: "file", path, cwd: this.#host.store.get().cwd };
  }

  /** False: the terminal cannot tell. */
  async #pasteByTerminal(): Promise<boolean> {
    const answer = await this.#deps.readTerminalClipboard();
    if (!answer) return false;
    const problem =
      "data" in answer ? (await this.#load({ from: "data", data: answer.data }))?.message : answer.problem;
    if (problem !== undefined) this.#host.store.note("warning", problem);
    return true;
  }

  /** Adds pictures in the order in which they were requested. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const { store } = this.#host;
    const counted = (by: 1 | -1): void => {
      attachments.change(store, { loading: attachments.of(store.get()).loading + by });
    };
    counted(1);
    this.#last = this.#last.then(work).finally(() => counted(-1));
    return this.#last;
  }

  /** Why it was not added; undefined: it was. */
  async #load(source: Source): Promise<{ message: string; noProgram?: boolean } | undefined> {
    const { store, server } = this.#host;
    if (attachments.of(store.get()).pictures.length >= MAX_IMAGES) return { message: TOO_MANY_IMAGES };
    try {
      const loaded = await server.call("image/load", { source });
      attachments.change(store, { pictures: [...attachments.of(store.get()).pictures, loaded] });
      return undefined;
    } catch (error) {
      return { message: errorText(error), noProgram: missingThing(error) === "clipboard_program" };
    }
  }
}
