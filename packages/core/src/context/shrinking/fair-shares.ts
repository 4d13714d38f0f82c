/** Splits the room evenly; whoever needs less leaves the rest to the others. */
export function fairShares(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  const byNeed = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need);
  let left = Math.max(0, room);
  byNeed.forEach(({ need, index }, position) => {
    const share = Math.min(need, Math.floor(left / (byNeed.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
