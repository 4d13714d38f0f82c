/** Words of five characters for bulk text: a model that repeated itself would be stopped. */
export const bulkWords: readonly string[] = Array.from({ length: 200 }, (_, at) => `w${String(at).padStart(3, "0")} `);
/** A part of such a text. */
export const bulkPart = /w\d{3} w\d{3} w\d{3}/;
