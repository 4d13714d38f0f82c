/** `isInner`: of a class, or not visible to other files as far as its text says. */
export type DefinedName = { name: string; isInner: boolean };

/** The names that an index has definitions of, and how many files use them. */
export interface DefinitionReader {
  /** The files that define something. */
  definingFiles(): { id: number; path: string }[];
  /** The names that a file defines, in order. */
  namesOf(file: number): DefinedName[];
  /** How many files define the name, in this case of letters. */
  definerCount(name: string): number;
  /** How many files have it as a word, whatever the case. */
  fileCount(name: string): number;
}
