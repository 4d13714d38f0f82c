import { closestNames } from "../text/closest-names.ts";
import { KeyLabels } from "./key-labels.ts";
import { keyLabel } from "./key-name.ts";
import type { KeyRow, KeyTable } from "./key-table.ts";
import { keyTables } from "./key-tables.ts";
import { onLatinKey } from "./keyboard-layouts.ts";
import { isTyped, readKey } from "./read-key.ts";

/** The effect of a key, by its name in `keys.json` (`chat.agents`). */
export type Action = KeyRow & {
  readonly action: string;
  readonly where: string;
  /** Its default keys. */
  readonly usual: readonly string[];
};

/** Places whose keys are looked up one after another while text is typed. */
const TYPING = ["input", "transcript", "chat", "home", "anywhere"];
/** They answer a dialog, so a character would begin a message. */
const ANSWERING = ["permission", "review", "question", "trust"].flatMap((where) =>
  ["take", "apply", "stop", "decline", "no"].map((id) => `${where}.${id}`),
);
/** Without its key a turn could not be stopped. */
const KEPT = "anywhere.interrupt";

/** The key bindings: the defaults of the tables, overridden by the user's choices. */
export class Keymap {
  readonly actions: readonly Action[];
  /** Sentences about invalid choices of the user, and about keys that now have two meanings. */
  readonly problems: readonly string[];
  /** The names of the keys in sentences. */
  readonly names = new KeyLabels(this);
  readonly #byName: ReadonlyMap<string, Action>;
  readonly #idOf: ReadonlyMap<string, string>;

  constructor(tables: readonly KeyTable[], chosen: Readonly<Record<string, readonly string[]>> = {}) {
    const usual = actionsOf(tables);
    const problems: string[] = unknownActions(usual, Object.keys(chosen));
    this.actions = usual.map((action) => {
      const own = Object.hasOwn(chosen, action.action) ? chosen[action.action] : undefined;
      return own ? { ...action, keys: readableKeys(action, own, problems) } : action;
    });
    this.#byName = new Map(this.actions.map((each) => [each.action, each]));
    this.problems = [...problems, ...conflictsOf(this.actions)];
    this.#idOf = new Map(this.actions.flatMap(({ where, id, keys }) => keys.map((key) => [`${where} ${key}`, id])));
  }

  /** The id of the action with this key in this place. */
  idOf(where: string, key: string): string | undefined {
    return this.#idOf.get(`${where} ${key}`);
  }

  /** As `idOf` for a typed letter, which on a keyboard of another script is the key of a Latin one. */
  idOfTyped(where: string, text: string): string | undefined {
    const lower = text.toLowerCase();
    return this.idOf(where, lower) ?? this.idOf(where, onLatinKey(lower));
  }

  keysOf(action: string): readonly string[] {
    return this.#byName.get(action)?.keys ?? [];
  }
}

function actionsOf(tables: readonly KeyTable[]): Action[] {
  return tables.flatMap(({ where, rows }) =>
    // "settings: providers" are `providers.login` and so on.
    rows.map((row) => ({ ...row, where, action: `${where.replace(/^.*: /, "")}.${row.id}`, usual: row.keys })),
  );
}

function unknownActions(known: readonly Action[], named: readonly string[]): string[] {
  const names = known.map(({ action }) => action);
  return named
    .filter((name) => !names.includes(name))
    .map((name) => {
      const close = closestNames(name, names);
      const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "/keys lists the actions.";
      return `There is no action ${JSON.stringify(name.slice(0, 60))}. ${hint}`;
    });
}

/** The valid keys of a choice; the others are reported in `problems`. */
function readableKeys({ action, where, usual }: Action, written: readonly string[], problems: string[]): string[] {
  const keys: string[] = [];
  for (const each of written) {
    const read = readKey(each);
    if ("problem" in read) problems.push(`${action}: ${read.problem}`);
    else if (TYPING.includes(where) && isTyped(read.key) && !usual.includes(read.key))
      problems.push(`${action}: ${keyLabel(read.key)} is needed for typing.`);
    else if (ANSWERING.includes(action) && isTyped(read.key))
      problems.push(`${action}: ${keyLabel(read.key)} types a character, which begins a message and answers nothing.`);
    else keys.push(read.key);
  }
  if (action !== KEPT || keys.length > 0) return keys;
  problems.push(`${action} must have a key; it keeps ${usual.map(keyLabel).join(", ")}.`);
  return [...usual];
}

/** Keys that two actions share in overlapping places, except by default. */
function conflictsOf(actions: readonly Action[]): string[] {
  const owners = new Map<string, Action[]>();
  for (const action of actions) for (const key of action.keys) owners.set(key, [...(owners.get(key) ?? []), action]);
  const chords = new Set([...owners.keys()].filter((key) => key.includes(" ")).map((key) => key.split(" ")[0]));
  return [...owners].flatMap(([key, having]) => {
    const pairs = having.flatMap((one, at) => having.slice(at + 1).map((other) => [one, other] as const));
    const doubled = pairs.filter(([one, other]) => areBothAsked(one, other) && !isUsual(one, other, key));
    const label = keyLabel(key);
    return [
      ...doubled.map(
        ([one, other]) => `${label} is the key of ${one.action} and of ${other.action}: only one of them works.`,
      ),
      ...(chords.has(key)
        ? having.map(({ action }) => `${label} begins chords, so ${action} cannot use it alone.`)
        : []),
    ];
  });
}

function areBothAsked(one: Action, other: Action): boolean {
  if (one.where === other.where) return true;
  if (one.where === "anywhere" || other.where === "anywhere") return true;
  return TYPING.includes(one.where) && TYPING.includes(other.where);
}

function isUsual(one: Action, other: Action, key: string): boolean {
  return one.usual.includes(key) && other.usual.includes(key);
}

/** The default keys. */
export const usualKeymap = new Keymap(keyTables);
