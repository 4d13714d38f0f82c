/**
 * Cases of a family of programs, or of the shell language. `everyday`: commands that only read. `harmful`: those that
 * do more, or whose meaning depends on the shell, by the kind of mistake; none may run unasked.
 */
export type FamilyCases = { everyday?: readonly string[]; harmful?: Readonly<Record<string, readonly string[]>> };

export const lines = (text: string): string[] => text.split("\n").filter(Boolean);
