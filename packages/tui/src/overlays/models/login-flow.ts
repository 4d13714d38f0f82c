import { errorText } from "@harness/client";
import type { CallParams, ClientNotifications, ProviderView } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import { TextBuffer } from "../../input/index.ts";
import type { LoginPage, SetupPage } from "./setup-page.ts";

export type LoginEnd = CallParams<ClientNotifications, "auth/login_update">;

type Pages = {
  page(): SetupPage | undefined;
  show(page: SetupPage | undefined): void;
  use(provider: string): Promise<void>;
};

/** A login from the list of models: in the browser, or with text that the user pastes. */
export class LoginFlow {
  readonly #server: WindowHost["server"];
  readonly #pages: Pages;
  /** Results that arrived before the answer with their id. */
  readonly #early = new Map<string, LoginEnd>();

  constructor(server: WindowHost["server"], pages: Pages) {
    this.#server = server;
    this.#pages = pages;
  }

  async begin({ id: provider, name }: ProviderView): Promise<void> {
    const begun: LoginPage = { kind: "login", provider, name, field: TextBuffer.empty, busy: false };
    this.#early.clear();
    this.#pages.show(begun);
    try {
      const login = await this.#server.call("auth/login", { provider });
      const now = this.#begun(provider);
      // The user has gone back while the server was starting it.
      if (!now) return this.cancel({ ...begun, login });
      this.#pages.show({ ...now, login });
      const early = this.#early.get(login.loginId);
      if (early) this.ended(early);
    } catch (error) {
      const now = this.#begun(provider);
      if (now) this.#pages.show({ ...now, problem: errorText(error) });
    }
  }

  #begun(provider: string): LoginPage | undefined {
    const page = this.#pages.page();
    return page?.kind === "login" && page.provider === provider && !page.login ? page : undefined;
  }

  /** Returns why the pasted text does not work. */
  async paste({ login, provider }: LoginPage, text: string): Promise<string | undefined> {
    if (!login) return undefined;
    await this.#server.call("auth/paste", { loginId: login.loginId, text });
    // The login may have ended in the browser meanwhile.
    if (this.#pages.page()?.kind === "login") await this.#pages.use(provider);
    return undefined;
  }

  /** The server reports that a login has ended. */
  ended(end: LoginEnd): void {
    const page = this.#pages.page();
    if (page?.kind !== "login" || (page.login && page.login.loginId !== end.loginId)) return;
    if (!page.login) this.#early.set(end.loginId, end);
    else if (end.credential) void this.#use(page);
    else this.#pages.show({ ...page, busy: false, problem: end.problem ?? "The login ended without an answer." });
  }

  async #use(page: LoginPage): Promise<void> {
    const show = (error: unknown): void => this.#pages.show({ ...page, busy: false, problem: errorText(error) });
    await this.#pages.use(page.provider).catch(show);
  }

  cancel({ login }: LoginPage): void {
    // If the server has exited, there is nothing to cancel.
    if (login) this.#server.call("auth/cancel", { loginId: login.loginId }).catch(() => undefined);
  }
}
