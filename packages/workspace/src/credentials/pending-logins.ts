import type { Egress } from "@harness/core";
import type { Clock } from "@harness/gate";
import { type CredentialView, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { Vendor } from "@harness/providers";
import type { LoginOutcome, StartedLogin } from "@harness/providers/login";
import type { Credentials } from "@harness/storage";
import type { ProviderCredentials } from "./provider-credentials.ts";

type SavedLogin = { credential: CredentialView; problems: string[] };

export type LoginUpdate = { loginId: string; provider: string; problem?: string } & Partial<SavedLogin>;

type PendingLoginsDeps = {
  credentials: ProviderCredentials;
  stored: Credentials;
  /** The environment with the `.env` files, for client ids and addresses. */
  env(): Readonly<Record<string, string | undefined>>;
  clock: Clock;
  egress: Egress;
  onEnd(update: LoginUpdate): void;
  newId(): string;
};

type OpenLogin = { vendor: Vendor; started: StartedLogin; forgetOwner(): void };

type FinishedLogin = Extract<LoginOutcome, { tokens: unknown }>;

/** Logins that wait for the user and their browser. */
export class PendingLogins {
  readonly #deps: PendingLoginsDeps;
  readonly #open = new Map<string, OpenLogin>();
  readonly #kept = new WeakMap<FinishedLogin, Promise<SavedLogin>>();

  constructor(deps: PendingLoginsDeps) {
    this.#deps = deps;
  }

  /** `owner` aborts when the client that started the login leaves, which cancels the login. */
  async start(provider: string, owner: AbortSignal): Promise<Result<ServerMethods, "auth/login">> {
    const vendor = await this.#deps.credentials.vendor(provider);
    const { id, name, login: row } = vendor;
    if (!row) {
      const message = `${name} has no login: give it a key with \`harness auth set ${id}\`.`;
      throw protocolError("invalid_params", message, { issues: [{ path: "provider", message }] });
    }
    const { locateLogin, startLogin } = await import("@harness/providers/login");
    const env = this.#deps.env();
    const located = locateLogin({ id, name, row }, env);
    if (!located.ok) throw protocolError("auth_required", located.problem, { provider: id });
    const barrier = await this.#deps.egress.barrier(located.target.tokenUrl.href);
    if (barrier !== undefined) throw protocolError("auth_required", barrier, { provider: id });
    const host = row.issuedClient ? await this.#deps.stored.hostId() : undefined;
    if (host && "problem" in host) throw protocolError("storage_failed", host.problem);
    const { credential } = row.issuedClient ? await this.#deps.stored.get(id) : {};
    const issuedClientId = credential?.type === "oauth" ? credential.clientId : undefined;
    this.#replace(id, `Another login to ${name} was started, so this one was cancelled.`);
    const started = await startLogin(located.target, {
      clock: this.#deps.clock,
      egress: this.#deps.egress,
      // A browser on another machine cannot redirect here; the vendor shows a code in that case.
      listen: located.target.pasteRedirect === undefined || env.SSH_CONNECTION === undefined,
      ...(host && { hostId: host.hostId }),
      ...(issuedClientId !== undefined && { issuedClientId }),
    });
    const loginId = this.#deps.newId();
    const leave = () => this.cancel(loginId);
    owner.addEventListener("abort", leave, { once: true });
    this.#open.set(loginId, { vendor, started, forgetOwner: () => owner.removeEventListener("abort", leave) });
    if (owner.aborted) leave();
    void started.end.then((end) => this.#ended(loginId, vendor, end));
    const { url, redirect, paste, expiresAt } = started;
    return { loginId, url, paste, expiresAt, ...(redirect !== undefined && { redirect }) };
  }

  async paste(loginId: string, text: string): Promise<Result<ServerMethods, "auth/paste">> {
    const login = this.#open.get(loginId);
    if (!login)
      throw protocolError("not_found", "This login has ended. Start a new one.", { what: "login", id: loginId });
    const end = await login.started.complete(text);
    if ("problem" in end) {
      throw protocolError("invalid_params", end.problem, { issues: [{ path: "text", message: end.problem }] });
    }
    const { credential, problems } = await this.#keep(login.vendor, end);
    return { credential, ...(problems.length > 0 && { problems }) };
  }

  cancel(loginId: string): void {
    const login = this.#open.get(loginId);
    this.#open.delete(loginId);
    login?.forgetOwner();
    login?.started.cancel();
  }

  /** Cancels all logins. */
  close(): void {
    for (const loginId of [...this.#open.keys()]) this.cancel(loginId);
  }

  /** Two logins of one vendor would listen on the same port. */
  #replace(provider: string, problem: string): void {
    for (const [loginId, { vendor }] of [...this.#open]) {
      if (vendor.id !== provider) continue;
      this.cancel(loginId);
      this.#deps.onEnd({ loginId, provider, problem });
    }
  }

  async #ended(loginId: string, vendor: Vendor, end: LoginOutcome): Promise<void> {
    const login = this.#open.get(loginId);
    const isWaitedFor = this.#open.delete(loginId);
    login?.forgetOwner();
    const about = { loginId, provider: vendor.id };
    if ("problem" in end) {
      if (isWaitedFor) this.#deps.onEnd({ ...about, problem: end.problem });
      return;
    }
    try {
      const { credential, problems } = await this.#keep(vendor, end);
      this.#deps.onEnd({ ...about, credential, ...(problems.length > 0 && { problems }) });
    } catch (error) {
      this.#deps.onEnd({
        ...about,
        problem: error instanceof Error ? error.message : "The login could not be saved.",
      });
    }
  }

  /** Saves the tokens once, whether they come from the browser or the user. */
  #keep(vendor: Vendor, end: FinishedLogin): Promise<SavedLogin> {
    const known = this.#kept.get(end);
    if (known) return known;
    const { issuedAt: _issuedAt, ...tokens } = end.tokens;
    const kept = this.#deps.credentials.save(vendor, { type: "oauth", ...tokens });
    this.#kept.set(end, kept);
    return kept;
  }
}
