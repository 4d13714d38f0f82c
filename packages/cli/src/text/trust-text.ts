import type { ProviderSecrets, TrustView } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { textTable } from "./text-table.ts";

const HEADER = ["", "WHAT", "FILE", "DOES"];
const MAX_NAMED = 3;

/** A folder's content as a table that is safe for a terminal. */
export function trustTable({ items }: TrustView, columns: number | undefined): string {
  const rows = items.map(({ change = "", kind, path, detail }) => [
    change,
    kind,
    visibleText(path),
    visibleText(detail),
  ]);
  return textTable(HEADER, rows, columns);
}

const secretStates: Record<ProviderSecrets["variables"][number]["state"], string> = {
  granted: "granted",
  withheld: "not granted",
  undecided: "not decided: not granted",
};

/** The secrets that the folder's providers ask for; undefined if there are none. */
export function secretsTable({ secrets = [] }: TrustView, columns: number | undefined): string | undefined {
  const rows = secrets.flatMap(({ provider, path, variables }) =>
    variables.map(({ name, set, state }) => [
      visibleText(provider),
      visibleText(name),
      set ? "set" : "not set",
      secretStates[state],
      visibleText(path),
    ]),
  );
  return rows.length === 0 ? undefined : textTable(["PROVIDER", "ASKS FOR", "", "", "FILE"], rows, columns);
}

/** The names in a sentence. */
export function namesText(names: readonly string[]): string {
  const shown = names.map(visibleText);
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/**
 * One sentence about the files that have no effect and what to do; undefined if none are left out, or the user refused
 * them.
 */
export function ignoredText(view: TrustView): string | undefined {
  const { state, root, items, refusal } = view;
  if (state === "changed" && items.some(({ off, change }) => off || change === "removed")) return changedText(view);
  if (state !== "untrusted" && state !== "changed") return undefined;
  const paths = items.filter(({ kind, change }) => kind !== "nested" && change !== "removed").map(({ path }) => path);
  const named = paths.slice(0, MAX_NAMED).map(visibleText).join(", ");
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  const why = state === "changed" ? "has changed since you trusted it" : "is not trusted";
  const next = refusal ?? "See harness trust, or trust it for this run with --trust.";
  return `${visibleText(root)} ${why}: ${named === "" ? "its files" : named}${more} can only make permissions stricter; nothing in them is run or offered. ${next}`;
}

/** In a folder that was trusted only changed content is off. */
function changedText({ root, items, callsWait, refusal }: TrustView): string {
  const off = items.filter((item) => item.off).map(({ path }) => visibleText(path));
  const gone = items.filter(({ change }) => change === "removed").map(({ path }) => `${visibleText(path)} (removed)`);
  const all = [...off, ...gone];
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  const named = `${all.slice(0, MAX_NAMED).join(", ")}${more}`;
  const [one, again] = all.length === 1 ? ["It is", "it"] : ["They are", "them"];
  const what = off.length === 0 ? "" : ` ${one} off until you trust ${again} again.`;
  const calls = callsWait ? " A hook that judges calls is among them: each call needs your approval until then." : "";
  const next = refusal ?? "See harness trust, or trust it for this run with --trust.";
  return `${visibleText(root)} has changed since you trusted it: ${named}.${what}${calls} ${next}`;
}

/** The line above the table of content that is trusted for a run. */
export function trustedForRun({ root, state }: TrustView): string {
  const how = state === "trusted" ? "Trusted already" : "Trusted for this run";
  return `${how}: ${visibleText(root)}`;
}
