/** The first line of each page that is generated from tables. */
export const generated = "<!-- Made by `npm run docs` from the tables in code. Do not edit. -->\n\n";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export const table = (header: string[], rows: string[][]): string =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
