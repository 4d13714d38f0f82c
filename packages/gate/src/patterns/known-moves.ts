/** The positions in a pattern that a text may have reached, one bit each. */
export type PositionSet = Uint32Array;
/** The positions reached after more text. */
export type Advance = (from: PositionSet, text: string) => PositionSet;

/** The number of states to remember. A hostile pattern reaches more; all of them are then forgotten. */
const MAX_PLACES = 256;
const ASCII = 128;

/** The positions reached somewhere in a text, and the next state for each character seen so far. */
type MatchState = {
  readonly reached: PositionSet;
  readonly isDead: boolean;
  readonly next: (MatchState | undefined)[];
};

/**
 * For a pattern that is compared often: each transition is computed once per set of positions and then looked up (a
 * lazily built deterministic automaton). The result is the same as that of `advance`.
 */
export function rememberMoves(advance: Advance): Advance {
  const places = new Map<string, MatchState>();

  const placeOf = (reached: PositionSet): MatchState => {
    const key = reached.join();
    const known = places.get(key);
    if (known) return known;
    if (places.size >= MAX_PLACES) places.clear();
    const place: MatchState = { reached, isDead: reached.every((word) => word === 0), next: [] };
    places.set(key, place);
    return place;
  };

  const learn = (state: MatchState, code: number): MatchState => {
    const next = placeOf(advance(state.reached, String.fromCodePoint(code)));
    if (code < ASCII) state.next[code] = next;
    return next;
  };

  return (from, text) => {
    let place = placeOf(from);
    for (let at = 0; at < text.length && !place.isDead; at += 1) {
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) at += 1;
      place = place.next[code] ?? learn(place, code);
    }
    return place.reached;
  };
}
