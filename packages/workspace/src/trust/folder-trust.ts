import { dirname, join } from "node:path";
import type { Clock } from "@harness/gate";
import { type FileStamps, realPathOrSame, TickCache } from "@harness/host";
import {
  type CallParams,
  ProtocolError,
  protocolError,
  type ServerMethods,
  type TrustItem,
  type TrustView,
} from "@harness/protocol";
import { projectVariables } from "@harness/providers/env";
import {
  type ConfigPaths,
  isFileOf,
  type SecretGrant,
  type TrustChange,
  type TrustContents,
  TrustStore,
  trustKind,
  withoutFolder,
} from "@harness/storage";
import { isInForce, standingOf, type TrustStanding } from "./standing.ts";

type Decision = CallParams<ServerMethods, "trust/set">["decision"];
/** A trusted provider of a project, and what the person decided about its secrets. */
export type ProviderTrust = { root: string; path: string; sha256: string; decided: SecretGrant | undefined };
type FolderJudgement = { look: TrustContents; standing: TrustStanding };

/** Which folders the person trusts: files of an untrusted folder may only restrict. */
export class FolderTrust {
  readonly #store: TrustStore;
  /** Content that is trusted while this server runs, by root. */
  readonly #forNow = new Map<string, TrustContents["files"]>();
  /** What providers were granted as long as this server runs, by root. Goes before what is saved. */
  readonly #grantsForNow = new Map<string, readonly SecretGrant[]>();
  readonly #looks = new TickCache<TrustContents>();
  readonly #known = new WeakMap<TrustContents, { entry: unknown; now: unknown; standing: TrustStanding }>();
  readonly #states = new TickCache<TrustStanding>();
  readonly #judgements = new TickCache<FolderJudgement>();

  constructor(parts: {
    configPaths: ConfigPaths;
    home: string;
    clock: Pick<Clock, "now">;
    stamps: FileStamps;
    /** The names of MCP servers that the person has. */
    ownServers?(cwd: string): ReadonlySet<string>;
  }) {
    this.#store = new TrustStore({ ...parts, envUsed: (text) => projectVariables(text) });
  }

  /**
   * Is a file that has effect in a folder trusted? A file outside of the folder's repository needs trust of its own; the
   * target of a link that leads out of it has none. A changed byte ends the trust in that file, and in those that use it.
   */
  isTrusted(cwd: string, file: string): boolean {
    return this.#store.isOwn(file) || this.#trusts(this.#judged(cwd, file), file);
  }

  /** Was a file trusted that is not any more, because it or a file that it uses has changed since? */
  hasLapsed(cwd: string, file: string): boolean {
    if (this.#store.isOwn(file)) return false;
    const { look, standing } = this.#judged(cwd, file);
    const path = standing.reach && this.#store.find(look, file)?.path;
    if (path === undefined || !standing.reach?.off.has(path)) return false;
    return !standing.changes.some((each) => each.file.path === path && each.change === "added");
  }

  /** Files that judged calls while the folder was trusted as it was, and do not run now; absolute. */
  lapsedJudges(cwd: string): readonly string[] {
    const { root, reach } = this.#here(cwd);
    return reach?.judges.map(({ path }) => join(root, path)) ?? NONE;
  }

  /** The same for as long as the answers for files in a folder of a project stay the same. */
  standing(cwd: string, folder: string): string {
    const { look, standing } = this.#judged(cwd, join(folder, "file"));
    const { state, reach } = standing;
    return `${state} ${look.hash} ${look.root}${reach ? ` ${[...reach.off].sort().join(" ")}` : ""}`;
  }

  /** Does a file of a project lead out of it by a link? */
  leadsOut(cwd: string, file: string): boolean {
    const { look } = this.#judged(cwd, file);
    return this.#store.contains(look, file) && !this.#store.covers(look, file);
  }

  /** How things stand with a folder. */
  state(cwd: string): TrustView["state"] {
    return this.#here(cwd).state;
  }

  #here(cwd: string): TrustStanding & { root: string } {
    const look = this.#looks.get(cwd, () => this.#store.inspect(cwd));
    return { ...this.#standing(look), root: look.root };
  }

  /** The same for as long as providers in a folder are trusted as they are, and granted the same secrets. */
  providerStanding(cwd: string, folder: string): string {
    const { look, standing } = this.#judged(cwd, join(folder, "file"));
    return isInForce(standing) ? JSON.stringify([look.root, look.hash, this.#grants(look.root)]) : "";
  }

  /** The secrets that the person granted a project's provider; undefined for a file of their own, which needs no grant. */
  grantedTo(cwd: string, file: string): readonly string[] | undefined {
    return this.#store.isOwn(file) ? undefined : (this.secretsOf(cwd, file)?.decided?.granted ?? []);
  }

  /** What was decided about the secrets of a trusted provider, for its file as it is; undefined: it is not trusted. */
  secretsOf(cwd: string, file: string): ProviderTrust | undefined {
    const found = this.#trustedFile(cwd, file);
    if (!found) return undefined;
    const { root, path, sha256 } = found;
    return { root, path, sha256, decided: this.#grants(root).find((grant) => isFileOf(grant, found)) };
  }

  /**
   * Decides about secrets of a trusted provider, for its file as it is, and for as long as the folder is trusted. `conflict`: the
   * file is another one by now.
   */
  grant(cwd: string, file: string, { sha256, asked, granted }: Omit<SecretGrant, "path">): void {
    this.#forgetMoment();
    const found = this.#trustedFile(cwd, file);
    if (found?.sha256 !== sha256)
      throw protocolError("conflict", `${file} has changed since you looked at it. Nothing was decided: look again.`, {
        version: found?.sha256 ?? "",
      });
    const { root, path, isForNow } = found;
    const grant = { path, sha256, asked: [...asked], granted: [...granted] };
    const others = (this.#grantsForNow.get(root) ?? []).filter((each) => each.path !== path);
    if (isForNow) this.#grantsForNow.set(root, [...others, grant]);
    else {
      const kept = this.#store.saveGrant(root, grant);
      if (kept) throw protocolError("storage_failed", kept.problem);
      this.#grantsForNow.set(root, others);
    }
    this.#forgetMoment();
  }

  /** Does a file lie in a folder that brings something and is not trusted? */
  isUntrusted(cwd: string, file: string): boolean {
    const judged = this.#judged(cwd, file);
    const { state } = judged.standing;
    if (state === "nothing") return false;
    // Of a folder that has changed what is no file to trust, such as its AGENTS.md, counts as before.
    return this.wouldHaveEffect(cwd, file) ? !this.#trusts(judged, file) : !isInForce(judged.standing);
  }

  /** Would a file of a project have an effect in a folder if it were trusted? */
  wouldHaveEffect(cwd: string, file: string): boolean {
    return this.#store.contains(this.#judged(cwd, file).look, file);
  }

  /** `onContent` is called with the path below the root and the bytes of each file, as the hash has them. */
  async view(cwd: string, onContent?: (path: string, content: Buffer) => void): Promise<TrustView> {
    this.#forgetMoment();
    const look = await this.#store.describe(cwd, onContent);
    const { state, changes, reach } = this.#standing(look);
    const change = new Map(changes.map((each) => [each.file.path, each.change]));
    const items = look.items.map((item) => {
      const how = item.kind === "nested" ? undefined : change.get(item.path);
      const isOff = item.kind !== "nested" && reach?.off.has(item.path);
      return { ...item, ...(how && { change: how }), ...(isOff && { off: true }) };
    });
    const refusal = this.#refusalOf(look);
    return {
      root: look.root,
      state,
      items: [...items, ...changes.flatMap(goneItem)],
      hash: look.hash,
      ...(reach && reach.judges.length > 0 && { callsWait: true }),
      ...(refusal === undefined || state === "nothing" ? {} : { refusal }),
    };
  }

  /** Throws `conflict` when the content differs from the one that was decided about. */
  async decide(cwd: string, hash: string, decision: Decision): Promise<TrustView> {
    this.#forgetMoment();
    const look = this.#store.inspect(cwd);
    if (decision !== "forget") this.#needSame(look, hash);
    if (decision === "trust" || decision === "session") this.#needTrustable(look, decision);
    this.#forNow.delete(look.root);
    this.#grantsForNow.delete(look.root);
    if (decision === "session") this.#forNow.set(look.root, look.files);
    else {
      const kept = decision === "forget" ? this.#store.remove(look.root) : this.#store.save(look, decision);
      if (kept) throw protocolError("storage_failed", kept.problem);
    }
    // Looked at again, with the decision.
    return this.view(cwd);
  }

  /**
   * Trusts a file of agents that the person has just had written, where everything beside it was trusted before, and for
   * as long; or where there is nothing else. The file is there whatever comes of it: what cannot be trusted now, because
   * somebody else has changed something or the decision cannot be saved, is asked about as any other file.
   */
  async extend(cwd: string, before: TrustView, file: string): Promise<void> {
    if (!["nothing", "trusted", "session"].includes(before.state)) return;
    const now = await this.view(cwd);
    const isOthers = ({ kind, path, change }: TrustItem) =>
      kind !== "nested" &&
      (before.state === "nothing" || change !== undefined) &&
      join(now.root, path) !== realPathOrSame(file);
    if (now.root !== before.root || now.refusal !== undefined || now.items.some(isOthers)) return;
    try {
      await this.decide(cwd, now.hash, before.state === "session" ? "session" : "trust");
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }

  /** Trusts the content that a person saw before the server started, if it is still the same. */
  trustForNow(cwd: string, hash: string): void {
    const look = this.#store.inspect(cwd);
    if (look.hash === hash && look.tooMuch === undefined) this.#forNow.set(look.root, look.files);
  }

  #forgetMoment(): void {
    this.#states.clear();
    this.#looks.clear();
    this.#judgements.clear();
    this.#store.forgetMoment();
  }

  #grants(root: string): readonly SecretGrant[] {
    return [...(this.#grantsForNow.get(root) ?? []), ...(this.#store.decisionOn(root)?.grants ?? [])];
  }

  #trustedFile(cwd: string, file: string) {
    const judged = this.#judged(cwd, file);
    const { look, standing } = judged;
    const found = this.#trusts(judged, file) ? this.#store.find(look, file) : undefined;
    return found && { ...found, root: look.root, isForNow: standing.state === "session" || standing.isForNow === true };
  }

  #trusts({ look, standing }: FolderJudgement, file: string): boolean {
    if (!isInForce(standing) || !this.#store.covers(look, file)) return false;
    const path = standing.reach && this.#store.find(look, file)?.path;
    return path === undefined || !standing.reach?.off.has(path);
  }

  #judged(cwd: string, file: string): FolderJudgement {
    return this.#judgements.get(`${cwd}\n${dirname(file)}`, () => {
      const here = this.#looks.get(cwd, () => this.#store.inspect(cwd));
      const look = this.#store.inspectFor(here, file);
      return { look, standing: this.#states.get(`${cwd}\n${look.root}`, () => this.#standing(look)) };
    });
  }

  #standing(look: TrustContents): TrustStanding {
    const entry = this.#store.decisionOn(look.root);
    const now = this.#forNow.get(look.root);
    const known = this.#known.get(look);
    if (known && known.entry === entry && known.now === now) return known.standing;
    const standing = standingOf(look, { entry, now }, this.#store);
    this.#known.set(look, { entry, now, standing });
    return standing;
  }

  #refusalOf({ refusal, tooMuch }: TrustContents): string | undefined {
    return tooMuch ?? refusal ?? this.#store.problem;
  }

  #needSame({ root, hash }: TrustContents, asked: string): void {
    if (hash === asked) return;
    const words = `${root} has changed since you looked at it. Nothing was decided: look again.`;
    throw protocolError("conflict", words, { version: hash });
  }

  #needTrustable(look: TrustContents, decision: "trust" | "session"): void {
    const refusal = decision === "session" ? look.tooMuch : this.#refusalOf(look);
    if (refusal === undefined) return;
    throw protocolError("invalid_params", refusal, { issues: [{ path: "decision", message: refusal }] });
  }
}

const NONE: readonly string[] = [];

function goneItem({ file, change }: TrustChange): TrustItem[] {
  if (change !== "removed") return [];
  return [{ kind: trustKind(withoutFolder(file)), path: file.path, detail: "was removed", change }];
}
