import { dirname, join } from "node:path";
import { realPathOrSame } from "@harness/host";
import {
  type CallParams,
  ProtocolError,
  protocolError,
  type ServerMethods,
  type TrustItem,
  type TrustView,
} from "@harness/protocol";
import {
  isFileOf,
  type SecretGrant,
  type TrustChange,
  type TrustContents,
  trustKind,
  withoutFolder,
} from "@harness/storage";
import type { TrustMemory } from "./trust-memory.ts";
import { isInForce, type TrustStanding } from "./trust-standing.ts";

type Decision = CallParams<ServerMethods, "trust/set">["decision"];
/** A trusted provider of a project, and the user's decision about its secrets. */
export type ProviderTrust = { root: string; path: string; sha256: string; decided: SecretGrant | undefined };
type FolderJudgement = { look: TrustContents; standing: TrustStanding };

/** The lookups of one moment. */
type SeenContents = {
  moment: object;
  look?: TrustContents;
  judged: Map<string, FolderJudgement>;
  standings: Map<string, TrustStanding>;
};

/** How far the user trusts the files that have an effect in a folder: files of an untrusted one may only restrict. */
export class FolderTrust {
  readonly #folder: string;
  readonly #memory: TrustMemory;
  #seen: SeenContents | undefined;

  constructor(folder: string, memory: TrustMemory) {
    this.#folder = folder;
    this.#memory = memory;
  }

  /**
   * True if a file that has an effect in a folder is trusted. A file outside the folder's repository needs its own
   * trust; the target of a link that leads out of it has none. A changed byte ends the trust in that file, and in those
   * that use it.
   */
  isTrusted(file: string): boolean {
    return this.#memory.store.isOwn(file) || this.#trusts(this.#judged(file), file);
  }

  /** True if a file was trusted until it, or a file that it uses, changed. */
  hasLapsed(file: string): boolean {
    if (this.#memory.store.isOwn(file)) return false;
    const { look, standing } = this.#judged(file);
    const path = standing.reach && this.#memory.store.find(look, file)?.path;
    if (path === undefined || !standing.reach?.off.has(path)) return false;
    return !standing.changes.some((each) => each.file.path === path && each.change === "added");
  }

  /** Files that judged calls while the folder was trusted in that state, but do not run now; absolute. */
  lapsedJudges(): readonly string[] {
    const { root, reach } = this.#here();
    return reach?.judges.map(({ path }) => join(root, path)) ?? NONE;
  }

  /** The same as long as the answers for files in a project folder stay the same. */
  standing(folder: string): string {
    const { look, standing } = this.#judged(join(folder, "file"));
    const { state, reach } = standing;
    return `${state} ${look.hash} ${look.root}${reach ? ` ${[...reach.off].sort().join(" ")}` : ""}`;
  }

  /** True if a project file leads out of the project through a link. */
  leadsOut(file: string): boolean {
    const { look } = this.#judged(file);
    return this.#memory.store.contains(look, file) && !this.#memory.store.covers(look, file);
  }

  /** The folder's trust state. */
  state(): TrustView["state"] {
    return this.#here().state;
  }

  #here(): TrustStanding & { root: string } {
    const look = this.#content(this.#now());
    return { ...this.#memory.standing(look), root: look.root };
  }

  /** The same as long as the trust in a folder's providers and the secrets granted to them stay the same. */
  providerStanding(folder: string): string {
    const { look, standing } = this.#judged(join(folder, "file"));
    return isInForce(standing) ? JSON.stringify([look.root, look.hash, this.#memory.grants(look.root)]) : "";
  }

  /**
   * The secrets that the user granted a project's provider; undefined for a file of their own, which needs no grant.
   */
  grantedTo(file: string): readonly string[] | undefined {
    return this.#memory.store.isOwn(file) ? undefined : (this.secretsOf(file)?.decided?.granted ?? []);
  }

  /** The decision about the secrets of a trusted provider, for its current file; undefined: it is not trusted. */
  secretsOf(file: string): ProviderTrust | undefined {
    const found = this.#trustedFile(file);
    if (!found) return undefined;
    const { root, path, sha256 } = found;
    return { root, path, sha256, decided: this.#memory.grants(root).find((grant) => isFileOf(grant, found)) };
  }

  /**
   * Decides about secrets of a trusted provider, for its current file, and as long as the folder is trusted.
   * `conflict`: the file has changed.
   */
  grant(file: string, { sha256, asked, granted }: Omit<SecretGrant, "path">): void {
    this.#memory.forgetMoment();
    const found = this.#trustedFile(file);
    if (found?.sha256 !== sha256)
      throw protocolError("conflict", `${file} has changed since you looked at it. Nothing was decided: look again.`, {
        version: found?.sha256 ?? "",
      });
    const { root, path, isForNow } = found;
    const grant = { path, sha256, asked: [...asked], granted: [...granted] };
    const others = (this.#memory.grantsForNow.get(root) ?? []).filter((each) => each.path !== path);
    if (isForNow) this.#memory.grantsForNow.set(root, [...others, grant]);
    else {
      const kept = this.#memory.store.saveGrant(root, grant);
      if (kept) throw protocolError("storage_failed", kept.problem);
      this.#memory.grantsForNow.set(root, others);
    }
    this.#memory.forgetMoment();
  }

  /** True if a file is in an untrusted folder that has files which need trust. */
  isUntrusted(file: string): boolean {
    const judged = this.#judged(file);
    const { state } = judged.standing;
    if (state === "nothing") return false;
    // In a changed folder, a file that needs no trust, such as its AGENTS.md, counts as before.
    return this.wouldHaveEffect(file) ? !this.#trusts(judged, file) : !isInForce(judged.standing);
  }

  /** True if a project file would have an effect in a folder if it were trusted. */
  wouldHaveEffect(file: string): boolean {
    return this.#memory.store.contains(this.#judged(file).look, file);
  }

  /** `onContent` is called with the path below the root and the bytes of each file, as hashed. */
  async view(onContent?: (path: string, content: Buffer) => void): Promise<TrustView> {
    this.#memory.forgetMoment();
    const look = await this.#memory.store.describe(this.#folder, onContent);
    const { state, changes, reach } = this.#memory.standing(look);
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

  /** Throws `conflict` if the content differs from the content that was decided about. */
  async decide(hash: string, decision: Decision): Promise<TrustView> {
    this.#memory.forgetMoment();
    const look = this.#memory.store.inspect(this.#folder);
    if (decision !== "forget") this.#needSame(look, hash);
    if (decision === "trust" || decision === "session") this.#needTrustable(look, decision);
    this.#memory.forNow.delete(look.root);
    this.#memory.grantsForNow.delete(look.root);
    if (decision === "session") this.#memory.forNow.set(look.root, look.files);
    else {
      const kept =
        decision === "forget" ? this.#memory.store.remove(look.root) : this.#memory.store.save(look, decision);
      if (kept) throw protocolError("storage_failed", kept.problem);
    }
    // Checked again, with the decision.
    return this.view();
  }

  /**
   * Trusts an agent file that the user has just written through harness, if all other files were trusted before (for as
   * long), or if there are none. The file stays in any case: if it cannot be trusted now, because of changes by others
   * or a decision that cannot be saved, the user is asked as for any other file.
   */
  async extend(before: TrustView, file: string): Promise<void> {
    if (!["nothing", "trusted", "session"].includes(before.state)) return;
    const now = await this.view();
    const isOthers = ({ kind, path, change }: TrustItem) =>
      kind !== "nested" &&
      (before.state === "nothing" || change !== undefined) &&
      join(now.root, path) !== realPathOrSame(file);
    if (now.root !== before.root || now.refusal !== undefined || now.items.some(isOthers)) return;
    try {
      await this.decide(now.hash, before.state === "session" ? "session" : "trust");
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }

  /** Trusts the content that the user saw before the server started, if it is still the same. */
  trustForNow(hash: string): void {
    const look = this.#memory.store.inspect(this.#folder);
    if (look.hash === hash && look.tooMuch === undefined) this.#memory.forNow.set(look.root, look.files);
  }

  #trustedFile(file: string) {
    const judged = this.#judged(file);
    const { look, standing } = judged;
    const found = this.#trusts(judged, file) ? this.#memory.store.find(look, file) : undefined;
    return found && { ...found, root: look.root, isForNow: standing.state === "session" || standing.isForNow === true };
  }

  #trusts({ look, standing }: FolderJudgement, file: string): boolean {
    if (!isInForce(standing) || !this.#memory.store.covers(look, file)) return false;
    const path = standing.reach && this.#memory.store.find(look, file)?.path;
    return path === undefined || !standing.reach?.off.has(path);
  }

  #judged(file: string): FolderJudgement {
    const now = this.#now();
    const folder = dirname(file);
    const known = now.judged.get(folder);
    if (known) return known;
    const look = this.#memory.store.inspectFor(this.#content(now), file);
    const standing = now.standings.get(look.root) ?? this.#memory.standing(look);
    now.standings.set(look.root, standing);
    const judged = { look, standing };
    now.judged.set(folder, judged);
    return judged;
  }

  #content(now: SeenContents): TrustContents {
    now.look ??= this.#memory.store.inspect(this.#folder);
    return now.look;
  }

  #now(): SeenContents {
    const { now: moment } = this.#memory.moment;
    if (this.#seen?.moment !== moment) this.#seen = { moment, judged: new Map(), standings: new Map() };
    return this.#seen;
  }

  #refusalOf({ refusal, tooMuch }: TrustContents): string | undefined {
    return tooMuch ?? refusal ?? this.#memory.store.problem;
  }

  #needSame({ root, hash }: TrustContents, seenHash: string): void {
    if (hash === seenHash) return;
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
