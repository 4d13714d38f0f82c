import { errorText } from "@harness/client";
import type { CallParams, ClientNotifications, CredentialView, ProviderView } from "@harness/protocol";
import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { confirmed, unconfirmed } from "../../widgets/confirm.ts";
import type { ScreenHost } from "../screen.ts";
import { credentialsOf, credentialText, type KeysState, type KeyWork, type LoginWork } from "./credentials-state.ts";
import { settingsSlice } from "./state.ts";

type LoginEnd = CallParams<ClientNotifications, "auth/login_update">;
type Work<K extends KeyWork["kind"]> = Extract<KeyWork, { kind: K }>;

/** The longest key that the server accepts. */
const MAX_KEY = 16_384;

/** Keys and logins on the Settings screen. A key being typed is kept only here, never in the state that is drawn. */
export class CredentialController {
  readonly #host: ScreenHost;
  #secret = "";
  /** Results of logins that arrived before the response with their id. */
  readonly #early = new Map<string, LoginEnd>();

  constructor(host: ScreenHost) {
    this.#host = host;
  }

  async load(): Promise<void> {
    const { server } = this.#host;
    try {
      const [{ providers }, { credentials, problems }] = await Promise.all([
        server.call("providers/list", {}),
        server.call("auth/list", {}),
      ]);
      const taking = providers.filter(({ keyEnv, login }) => login === true || keyEnv !== undefined);
      this.#change({ providers: taking, credentials, problems });
    } catch (error) {
      this.#change({ problems: [`The keys could not be read: ${errorText(error)}`] });
    }
  }

  /** The screen is shown again: a login continues, a partly typed key is dropped. */
  reset(): void {
    if (this.#keys.work?.kind !== "login") this.#end();
    this.#change({ message: undefined });
  }

  /** Takes an event while a key is typed, a removal is confirmed or a login is pending; otherwise returns false. */
  take(event: InputEvent): boolean {
    const { work } = this.#keys;
    if (!work) return false;
    if (work.kind === "typing") this.#typed(event, work);
    else if (work.kind === "removing") this.#answered(event, work);
    else this.#pasted(event, work);
    return true;
  }

  /** Prompts for a provider's key, or begins its login if it has one. */
  begin(row: ProviderView): void {
    if (this.#keys.busy) return;
    if (row.login) void this.#login(row.id, row.name);
    else {
      this.#secret = "";
      this.#change({ work: { kind: "typing", provider: row.id, name: row.name, length: 0 }, message: undefined });
    }
  }

  askToRemove({ id: provider, name }: ProviderView): void {
    if (this.#keys.busy) return;
    const kept = credentialsOf(this.#keys, provider).some(({ source }) => source === "keyring" || source === "file");
    if (kept) this.#change({ work: { kind: "removing", provider, name, confirm: unconfirmed }, message: undefined });
    else this.#say("error", `harness stores nothing for ${name}; a key in an environment variable is removed there.`);
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
    else this.#say("error", `${work.name}: ${end.problem ?? "The login ended without an answer."}`);
  }

  #typed(event: InputEvent, work: Work<"typing">): void {
    if (this.#host.lines.keepsOpen(TextBuffer.of(this.#secret), event)) return;
    if (event.type === "key" && event.name === "escape") this.#end();
    else if (event.type === "key" && event.name === "enter") void this.#set(work);
    else {
      const edited = this.#host.lines.edit(TextBuffer.of(this.#secret), event);
      if (!edited) return;
      this.#secret = edited.text.slice(0, MAX_KEY);
      this.#change({ work: { ...work, length: this.#secret.length } });
    }
  }

  async #set({ provider, name }: Work<"typing">): Promise<void> {
    const key = this.#secret.trim();
    this.#end();
    if (key === "") return;
    if (/\s/.test(key)) return this.#say("error", "A key has no spaces. Nothing was changed.");
    this.#change({ busy: true });
    try {
      const { credential, problems } = await this.#host.server.call("auth/set", { provider, key });
      this.#done(`Stored for ${name}`, credential, problems);
    } catch (error) {
      this.#say("error", `The key of ${name} could not be saved: ${errorText(error)}`);
    } finally {
      this.#change({ busy: false });
    }
  }

  #answered(event: InputEvent, work: Work<"removing">): void {
    if (event.type !== "key") return;
    const answer = confirmed(event, work.confirm);
    if (typeof answer === "string") this.#end();
    else this.#change({ work: { ...work, confirm: answer } });
    if (answer === "yes") void this.#remove(work.provider, work.name);
  }

  async #remove(provider: string, name: string): Promise<void> {
    this.#change({ busy: true });
    try {
      const { problems = [] } = await this.#host.server.call("auth/remove", { provider });
      this.#say("success", [`The key or login of ${name} is removed.`, ...problems].join(" "));
      await this.#reload();
    } catch (error) {
      this.#say("error", `It could not be removed: ${errorText(error)}`);
    } finally {
      this.#change({ busy: false });
    }
  }

  async #login(provider: string, name: string): Promise<void> {
    const begun: LoginWork = { kind: "login", provider, name, pasted: TextBuffer.empty };
    this.#early.clear();
    this.#change({ work: begun, message: undefined });
    try {
      const login = await this.#host.server.call("auth/login", { provider });
      const { work } = this.#keys;
      // It was cancelled while the server was starting it.
      if (work !== begun) return this.#cancel(login.loginId);
      this.#change({ work: { ...begun, login } });
      const early = this.#early.get(login.loginId);
      if (early) this.loginEnded(early);
    } catch (error) {
      if (this.#keys.work === begun) this.#end();
      this.#say("error", errorText(error));
    }
  }

  #pasted(event: InputEvent, work: LoginWork): void {
    if (this.#host.lines.keepsOpen(work.pasted, event)) return;
    if (event.type === "key" && event.name === "escape") {
      this.#end();
      if (work.login) this.#cancel(work.login.loginId);
      return;
    }
    if (event.type === "key" && event.name === "enter") return void this.#paste(work);
    const pasted = this.#host.lines.edit(work.pasted, event);
    if (pasted) this.#change({ work: { ...work, pasted }, message: undefined });
  }

  async #paste({ login, name, pasted }: LoginWork): Promise<void> {
    const text = pasted.text.trim();
    if (!login || text === "") return;
    try {
      const { credential, problems } = await this.#host.server.call("auth/paste", { loginId: login.loginId, text });
      const { work } = this.#keys;
      // The login may have ended in the browser meanwhile.
      if (work?.kind !== "login" || work.login?.loginId !== login.loginId) return;
      this.#change({ work: undefined });
      this.#done(`Logged in to ${name}`, credential, problems);
    } catch (error) {
      this.#say("error", errorText(error));
    }
  }

  #cancel(loginId: string): void {
    // If the server has exited, there is nothing to cancel.
    this.#host.server.call("auth/cancel", { loginId }).catch(() => undefined);
  }

  #done(what: string, credential: CredentialView, problems: readonly string[] = []): void {
    const unused = credential.unused ? ["Another one takes precedence over it."] : [];
    this.#say("success", [`${what}: ${credentialText(credential)}.`, ...unused, ...problems].join(" "));
    void this.#reload();
  }

  async #reload(): Promise<void> {
    this.#host.window.changed();
    await this.load();
  }

  #end(): void {
    this.#secret = "";
    this.#change({ work: undefined });
  }

  get #keys(): KeysState {
    return settingsSlice.of(this.#host.store.get()).keys;
  }

  /** On other screens the message appears above the composer. */
  #say(severity: "success" | "error", text: string): void {
    const { store } = this.#host;
    this.#change({ message: { severity, text } });
    if (store.get().screen !== "settings") store.note(severity === "success" ? "info" : "error", text);
  }

  #change(keys: Partial<KeysState>): void {
    settingsSlice.change(this.#host.store, { keys: { ...this.#keys, ...keys } });
  }
}
