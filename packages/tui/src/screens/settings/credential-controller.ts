import type { CallParams, ClientNotifications, CredentialView, ProviderView } from "@harness/protocol";
import { wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import type { Store } from "../../state/store.ts";
import { lineEdited } from "../../widgets/line-edits.ts";
import { credentialsOf, credentialText, type KeysState, type KeyWork, type LoginWork } from "./credentials-state.ts";

export type KeyDeskParts = {
  store: Store;
  link: Pick<ServerLink, "call">;
  /** Other models may be ready now. */
  changed(): void;
};

type LoginEnd = CallParams<ClientNotifications, "auth/login_update">;
type Work<K extends KeyWork["kind"]> = Extract<KeyWork, { kind: K }>;

/** The longest key that the server takes. */
const MAX_KEY = 16_384;

/** Keys and logins of the Settings screen. A key being typed is here alone, never in the state that is drawn. */
export class KeyDesk {
  readonly #parts: KeyDeskParts;
  #secret = "";
  /** Ends of logins that came before the answer that names them. */
  readonly #early = new Map<string, LoginEnd>();

  constructor(parts: KeyDeskParts) {
    this.#parts = parts;
  }

  async load(): Promise<void> {
    const { link } = this.#parts;
    try {
      const [{ providers }, { credentials, problems }] = await Promise.all([
        link.call("providers/list", {}),
        link.call("auth/list", {}),
      ]);
      const taking = providers.filter(({ keyEnv, login }) => login === true || keyEnv !== undefined);
      this.#change({ providers: taking, credentials, problems });
    } catch (error) {
      this.#change({ problems: [`The keys could not be read: ${wordsOf(error)}`] });
    }
  }

  /** A key while something is being done; false: nothing is. */
  key(event: InputEvent): boolean {
    const { work } = this.#keys;
    if (!work) return false;
    if (work.kind === "typing") this.#typed(event, work);
    else if (work.kind === "forgetting") this.#answered(event, work);
    else this.#pasted(event, work);
    return true;
  }

  /** A key on the row of a provider. */
  act(key: KeyEvent, { id: provider, name, login }: ProviderView): void {
    const action = windowKey(key, "keys");
    if (!action || this.#keys.busy) return;
    if (action === "login" || (action === "setKey" && login)) {
      if (login) void this.#login(provider, name);
      else this.#say("error", `${name} has no login. Enter takes a key.`);
    } else if (action === "setKey") {
      this.#secret = "";
      this.#change({ work: { kind: "typing", provider, name, length: 0 }, said: undefined });
    } else this.#forget(provider, name);
  }

  /** A login has ended, in the browser or otherwise. */
  loginEnded(end: LoginEnd): void {
    const { work } = this.#keys;
    if (work?.kind !== "login" || (work.login && work.login.loginId !== end.loginId)) return;
    if (!work.login) {
      this.#early.set(end.loginId, end);
      return;
    }
    this.#change({ work: undefined });
    if (end.credential) this.#done(`Logged in to ${work.name}`, end.credential, end.problems);
    else this.#say("error", `${work.name}: ${end.problem ?? "The login ended without a word."}`);
  }

  #typed(event: InputEvent, work: Work<"typing">): void {
    if (event.type === "key" && event.name === "escape") this.#end();
    else if (event.type === "key" && event.name === "enter") void this.#set(work);
    else {
      const edited = lineEdited(TextBuffer.of(this.#secret), event);
      if (!edited) return;
      this.#secret = edited.text.slice(0, MAX_KEY);
      this.#change({ work: { ...work, length: [...this.#secret].length } });
    }
  }

  async #set({ provider, name }: Work<"typing">): Promise<void> {
    const key = this.#secret.trim();
    this.#end();
    if (key === "") return;
    if (/\s/.test(key)) return this.#say("error", "A key is one word, and there was more. Nothing was changed.");
    this.#change({ busy: true });
    try {
      const { credential, problems } = await this.#parts.link.call("auth/set", { provider, key });
      this.#done(`Kept for ${name}`, credential, problems);
    } catch (error) {
      this.#say("error", `The key of ${name} could not be kept: ${wordsOf(error)}`);
    } finally {
      this.#change({ busy: false });
    }
  }

  #forget(provider: string, name: string): void {
    const kept = credentialsOf(this.#keys, provider).some(({ source }) => source === "keyring" || source === "file");
    if (kept) this.#change({ work: { kind: "forgetting", provider, name }, said: undefined });
    else this.#say("error", `harness keeps nothing for ${name}; what comes from a variable is not its to forget.`);
  }

  #answered(event: InputEvent, { provider, name }: Work<"forgetting">): void {
    if (event.type !== "key") return;
    this.#end();
    if (event.name === "y") void this.#remove(provider, name);
  }

  async #remove(provider: string, name: string): Promise<void> {
    this.#change({ busy: true });
    try {
      const { problems = [] } = await this.#parts.link.call("auth/remove", { provider });
      this.#say("success", [`The key or login for ${name} is forgotten.`, ...problems].join(" "));
      await this.#reload();
    } catch (error) {
      this.#say("error", `It could not be forgotten: ${wordsOf(error)}`);
    } finally {
      this.#change({ busy: false });
    }
  }

  async #login(provider: string, name: string): Promise<void> {
    const begun: LoginWork = { kind: "login", provider, name, pasted: TextBuffer.empty };
    this.#early.clear();
    this.#change({ work: begun, said: undefined });
    try {
      const login = await this.#parts.link.call("auth/login", { provider });
      const { work } = this.#keys;
      // Given up while the server began it.
      if (work !== begun) return this.#cancel(login.loginId);
      this.#change({ work: { ...begun, login } });
      const early = this.#early.get(login.loginId);
      if (early) this.loginEnded(early);
    } catch (error) {
      if (this.#keys.work === begun) this.#end();
      this.#say("error", wordsOf(error));
    }
  }

  #pasted(event: InputEvent, work: LoginWork): void {
    if (event.type === "key" && event.name === "escape") {
      this.#end();
      if (work.login) this.#cancel(work.login.loginId);
      return;
    }
    if (event.type === "key" && event.name === "enter") return void this.#paste(work);
    const pasted = lineEdited(work.pasted, event);
    if (pasted) this.#change({ work: { ...work, pasted }, said: undefined });
  }

  async #paste({ login, name, pasted }: LoginWork): Promise<void> {
    const text = pasted.text.trim();
    if (!login || text === "") return;
    try {
      const { credential, problems } = await this.#parts.link.call("auth/paste", { loginId: login.loginId, text });
      const { work } = this.#keys;
      // The browser may have been faster.
      if (work?.kind !== "login" || work.login?.loginId !== login.loginId) return;
      this.#change({ work: undefined });
      this.#done(`Logged in to ${name}`, credential, problems);
    } catch (error) {
      this.#say("error", wordsOf(error));
    }
  }

  #cancel(loginId: string): void {
    // A server that is gone waits for no browser.
    this.#parts.link.call("auth/cancel", { loginId }).catch(() => undefined);
  }

  #done(what: string, credential: CredentialView, problems: readonly string[] = []): void {
    const unused = credential.unused ? ["It is not used now: a stronger one stands before it."] : [];
    this.#say("success", [`${what}: ${credentialText(credential)}.`, ...unused, ...problems].join(" "));
    void this.#reload();
  }

  async #reload(): Promise<void> {
    this.#parts.changed();
    await this.load();
  }

  #end(): void {
    this.#secret = "";
    this.#change({ work: undefined });
  }

  get #keys(): KeysState {
    return this.#parts.store.get().keys;
  }

  /** Elsewhere than on the Settings screen it is said above the composer. */
  #say(severity: "success" | "error", text: string): void {
    const { store } = this.#parts;
    this.#change({ said: { severity, text } });
    if (store.get().screen !== "settings")
      store.dispatch({ type: "noted", note: { severity: severity === "success" ? "info" : "error", text } });
  }

  #change(keys: Partial<KeysState>): void {
    this.#parts.store.dispatch({ type: "keysChanged", keys });
  }
}
