import type { KeySentence } from "../../keymap/key-labels.ts";
import type { Resumption } from "../../render/index.ts";
import type { Store } from "../../state/store.ts";

const HINT = 'Pressed by mistake? `"anywhere.suspend": []` in keys.json turns it off.';

const suspended: KeySentence = (keys) =>
  `${keys.of("anywhere.suspend") ?? "A signal"} suspended harness, and it is back. ${HINT}`;
const unstopped: KeySentence = (keys) =>
  `${keys.of("anywhere.suspend") ?? "A signal"} cannot suspend harness here: no shell could continue it. ${HINT}`;

/** Takes the terminal `back`, and explains the key that suspends: once, and wherever it has no effect. */
export function afterSuspension(store: Store, back: () => void): (how: Resumption) => void {
  let isTold = false;
  return (how) => {
    back();
    if (how === "unstopped") store.note("info", unstopped);
    else if (how === "suspended" && !isTold) store.note("info", suspended);
    if (how === "suspended") isTold = true;
  };
}
