/**
 * Cases of a family of programs, or of the shell's own language. `everyday`: commands that only look. `harmful`: those that
 * do more, or whose reading depends on the shell, by the class of the mistake; none may run unasked.
 */
export type FamilyCases = { everyday?: readonly string[]; harmful?: Readonly<Record<string, readonly string[]>> };

export const lines = (text: string): string[] => text.split("\n").filter(Boolean);
