/** The parts of a chunk whose words count differently. */
export const wordFields = ["name", "path", "comment", "body"] as const;
export type WordField = (typeof wordFields)[number];

/** The words of a chunk by field, split and stemmed by `wordsOf`, repeated as often as they occur. */
export type FieldWords = Readonly<Record<WordField, readonly string[]>>;
