import { statSync } from "node:fs";
import { readRegularFile } from "@harness/host";
import { ModelView, type Price } from "@harness/protocol";
import { type KnownModel, knownModels } from "./known-models.ts";

type KnownFacts = Pick<KnownModel, "windowTokens" | "outputTokens" | "price" | "abilities" | "aliases">;

/** The location of a model: a vendor's own address, or a different one. */
type ModelLocation = { vendor: { id: string; local: boolean }; usual: boolean };

/** Offline facts about models: the user's file first, then the built-in rows. */
export type ModelTable = {
  /**
   * Empty for most models. A price is only given for the address where it applies. For models of a local server only
   * the user's file counts, because a well-known name says little about a file.
   */
  facts(location: ModelLocation, model: string): KnownFacts;
  /** The maker's vendor. */
  makerOf(model: string): string | undefined;
  /** The model with a short name; `by` is absent if its maker is not one of our vendors. */
  named(alias: string): { model: string; by?: string } | undefined;
  /** Problems of the user's file, as sentences. */
  problems: readonly string[];
};

/** A row of `models.json`: `provider` narrows it to one vendor. */
const UserModel = ModelView.pick({
  windowTokens: true,
  outputTokens: true,
  price: true,
  abilities: true,
  aliases: true,
})
  .extend({ match: ModelView.shape.model.min(1), provider: ModelView.shape.provider.optional() })
  .strict()
  .refine(({ windowTokens = 1, outputTokens = 1 }) => windowTokens > 0 && outputTokens > 0, "tokens must be above 0")
  .refine(({ price }) => ratesOf(price).every((each) => each >= 0), "a price cannot be below 0");

function ratesOf({ longPrompt, ...usual }: Partial<Price> = {}): number[] {
  return Object.values({ ...usual }).concat(Object.values({ ...longPrompt }));
}

const MAX_BYTES = 1024 * 1024;
/** Suffixes of a date or a stage: the same model at the same price. */
const SAME_MODEL = /^(-latest|-preview|-\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4}|-\d{3}|-\d{2}-\d{4}|-preview-\d{2}-\d{2,4})?$/;

type Row = KnownModel & { name: string; provider?: string; isOwn: boolean };

const builtInRows: readonly Row[] = knownModels.map((row) => ({
  ...row,
  name: normalizeModelName(row.match),
  isOwn: false,
}));

export const builtInTable: ModelTable = tableOf(builtInRows, []);

/** The user's `models.json`, if any, before the built-in rows. */
export class ModelTableFile {
  readonly #path: string;
  #loaded: { stamp: string; table: ModelTable } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Read again only if the file has changed. Never throws. */
  load(): ModelTable {
    const stamp = stampOf(this.#path);
    if (stamp === undefined) return builtInTable;
    if (this.#loaded?.stamp === stamp) return this.#loaded.table;
    const { rows, problems } = readRows(this.#path);
    const table = tableOf([...rows, ...builtInRows], problems);
    this.#loaded = { stamp, table };
    return table;
  }
}

/** The window of a well-known hosted model. */
export function knownContextWindow(model: string): number | undefined {
  return builtInTable.facts({ vendor: { id: "", local: false }, usual: false }, model).windowTokens;
}

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch {
    // A file that is missing, or in a folder that is closed to us, adds nothing.
    return undefined;
  }
}

/** Valid entries are used, even next to invalid ones. */
function readRows(path: string): { rows: Row[]; problems: string[] } {
  let entries: unknown;
  try {
    const whole: unknown = JSON.parse(
      readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8"),
    );
    entries = Array.isArray(whole) ? whole : (whole as { models?: unknown } | null)?.models;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { rows: [], problems: [`${path} could not be read: ${reason}`] };
  }
  if (!Array.isArray(entries)) return { rows: [], problems: [`${path}: write {"models": [{"match": "name", …}]}.`] };
  const rows: Row[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = UserModel.safeParse(entry);
    if (read.success) rows.push(ownRow(read.data));
    else problems.push(`${path}: model ${index + 1} was left out: ${issuesOf(read.error.issues)}`);
  }
  return { rows, problems };
}

function ownRow(model: ReturnType<typeof UserModel.parse>): Row {
  const fields = Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined));
  return { ...fields, match: model.match, name: normalizeModelName(model.match), isOwn: true };
}

function issuesOf(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  return issues.map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message)).join("; ");
}

function tableOf(rows: readonly Row[], problems: readonly string[]): ModelTable {
  const own = rows.filter((row) => row.isOwn);
  return {
    problems,
    facts({ vendor, usual }, model) {
      const name = normalizeModelName(model);
      const ofPerson = longest(
        own.filter(({ provider }) => provider === undefined || provider === vendor.id),
        name,
      );
      const ofTable = vendor.local ? undefined : longest(builtInRows, name);
      const isPriced = usual && ofTable?.by === vendor.id && SAME_MODEL.test(name.slice(ofTable.name.length));
      return {
        ...(ofTable && factsOf(ofTable, name, isPriced)),
        ...(ofPerson && factsOf(ofPerson, name, true)),
      };
    },
    makerOf: (model) => longest(builtInRows, normalizeModelName(model))?.by,
    named(alias) {
      const wanted = alias.toLowerCase();
      const row = rows.find(({ aliases }) => aliases?.some((each) => each.toLowerCase() === wanted));
      const by = row?.provider ?? row?.by;
      return row && { model: row.match, ...(by !== undefined && { by }) };
    },
  };
}

function factsOf(row: Row, name: string, isPriced: boolean): KnownFacts {
  const { windowTokens, outputTokens, price, abilities, aliases } = row;
  return {
    ...(windowTokens !== undefined && { windowTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(price && isPriced && { price }),
    ...(abilities && { abilities }),
    ...(aliases && name === row.name && { aliases }),
  };
}

function longest(rows: readonly Row[], name: string): Row | undefined {
  let best: Row | undefined;
  for (const row of rows) {
    if (row.name.length > (best?.name.length ?? 0) && begins(name, row.name)) best = row;
  }
  return best;
}

/** Must match up to the end of a word: `gpt-4o-mini` begins with `gpt-4o`, but `gpt-4o` does not begin with `gpt-4`. */
function begins(name: string, start: string): boolean {
  return name.startsWith(start) && !/[a-z0-9]/.test(name.charAt(start.length));
}

/** Removes the maker's prefix and unifies version spellings: `4.6`, `4-6`, and `4p6` at Fireworks. */
export function normalizeModelName(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const versioned = model.startsWith("accounts/") ? name.replaceAll(/(\d)p(\d)/g, "$1-$2") : name;
  return versioned.replaceAll(".", "-");
}
