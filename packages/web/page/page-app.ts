import { errorText, type LinkState, Session } from "@harness/client/browser";
import { OpenDialogs } from "./dialogs/open-dialogs.ts";
import { element, place } from "./dom.ts";
import type { PageKey } from "./link/page-key.ts";
import { type PageLink, pageLink } from "./link/page-link.ts";
import { promptField } from "./screens/prompt-field.ts";
import { folderName, type SessionLists, sessionList } from "./screens/session-list.ts";
import { SessionScreen } from "./screens/session-screen.ts";

const LIST_MS = 4_000;
const MOST_LISTED = 100;

/** The page: the list of sessions, or one of them. */
export class PageApp {
  readonly #key: PageKey;
  readonly #link: PageLink;
  readonly #dialogs = new OpenDialogs(() => this.#draw());
  readonly #status = element("p", { class: "status", role: "status" });
  readonly #home: HTMLElement;
  readonly #list = element("div");
  #screen: SessionScreen | undefined;
  #isDrawing = false;
  /** The status row says what went wrong. */
  #hasProblem = false;

  constructor(key: PageKey) {
    this.#key = key;
    this.#home = element(
      "main",
      {},
      element("header", {}, element("h1", {}, "harness"), element("span", { class: "muted" }, folderName(key.cwd))),
      promptField({
        placeholder: `New session in ${folderName(key.cwd)}`,
        send: (text) => this.#begin(text),
      }),
      this.#list,
    );
    this.#link = pageLink({
      key,
      listeners: {
        onUpdate: (update) => this.#screen?.session.take(update),
        onPermission: ({ sessionId, permission }, signal) => {
          const root = this.#screen?.session.terms.cwd ?? "";
          return this.#dialogs.askPermission({ sessionId, root }, permission, signal);
        },
        onQuestion: (question, signal) => this.#dialogs.askQuestion(question, signal),
        notices: {
          "hud/update": ({ sessionId, hud }) => {
            if (this.#screen?.session.id === sessionId) this.#screen.show(hud);
          },
        },
      },
      onStatus: (state) => this.#showStatus(state),
      onReady: async (call) => {
        await this.#screen?.session.reattach({ call });
        void this.#refresh();
      },
      onHolderLost: async (sessionId, server) => {
        if (this.#screen?.session.id === sessionId) await this.#screen.session.reattach(server);
      },
    });
    this.#link.start();
    addEventListener("hashchange", () => this.#followAddress());
    setInterval(() => void this.#refresh(), LIST_MS);
    this.#followAddress();
  }

  #followAddress(): void {
    const sessionId = location.hash.replace(/^#\/?/, "");
    if (this.#screen && sessionId === this.#screen.session.id) return;
    this.#screen?.session.leave();
    this.#screen = undefined;
    this.#clearProblem();
    if (sessionId !== "") void this.#open(sessionId);
    else void this.#refresh();
    this.#draw();
  }

  async #open(sessionId: string): Promise<void> {
    const session = this.#newSession("");
    this.#screen = this.#screenOf(session);
    this.#draw();
    try {
      const opened = await session.resume(sessionId);
      if ("gone" in opened) throw new Error("The folder of this session no longer exists. Open it in a terminal.");
      session.terms.cwd = opened.session.cwd;
      void this.#screen.refresh();
      // The person has gone elsewhere while it was opened.
      if (this.#screen?.session !== session) session.leave();
    } catch (error) {
      this.#report(error);
    }
    this.#draw();
  }

  async #begin(text: string): Promise<void> {
    const session = this.#newSession(this.#key.cwd);
    this.#screen = this.#screenOf(session);
    try {
      await this.#screen.send(text);
      void this.#screen.refresh();
    } catch (error) {
      this.#screen = undefined;
      this.#draw();
      this.#report(error);
      throw error;
    }
    location.hash = `/${session.id}`;
    this.#draw();
  }

  #newSession(cwd: string): Session {
    const draw = () => this.#draw();
    return new Session(
      this.#link.router,
      { cwd },
      {
        onUpdate: draw,
        onCaughtUp: draw,
        onProblem: (error) => this.#report(error),
      },
    );
  }

  #screenOf(session: Session): SessionScreen {
    return new SessionScreen({
      session,
      call: this.#link.router.call,
      cardsOf: (sessionId) => this.#dialogs.cardsOf(sessionId),
      goHome: () => {
        location.hash = "";
      },
      report: (error) => this.#report(error),
    });
  }

  async #refresh(): Promise<void> {
    if (this.#screen || document.hidden) return;
    try {
      const [{ sessions: live }, { sessions: stored }] = await Promise.all([
        this.#link.router.call("session/live", {}),
        this.#link.router.call("session/list", { limit: MOST_LISTED, runsLast: true }),
      ]);
      this.#clearProblem();
      this.#showList({ live, stored });
    } catch (error) {
      this.#report(error);
    }
  }

  #showList(lists: SessionLists): void {
    const list = sessionList(lists, (sessionId) => {
      location.hash = `/${sessionId}`;
    });
    // The same rows stay, so that one of them can keep the focus.
    if (this.#list.firstElementChild?.isEqualNode(list) !== true) place(this.#list, [list]);
    this.#draw();
  }

  /** Once a frame, however many updates arrive. */
  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#screen?.draw();
      document.title = this.#screen?.session.state?.title ?? "harness";
      place(document.body, [this.#status, this.#screen?.root ?? this.#home]);
    });
  }

  #clearProblem(): void {
    if (this.#hasProblem) this.#status.replaceChildren();
    this.#hasProblem = false;
  }

  #showStatus({ status }: LinkState): void {
    this.#hasProblem = false;
    const texts = { ready: "", connecting: "Connecting…", failed: "harness web does not answer. It may have ended. " };
    const again = element("button", { click: () => this.#link.retry() }, "Try again");
    this.#status.replaceChildren(texts[status], ...(status === "failed" ? [again] : []));
    this.#draw();
  }

  #report(error: unknown): void {
    this.#hasProblem = true;
    this.#status.replaceChildren(errorText(error));
    this.#draw();
  }
}
