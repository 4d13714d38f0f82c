import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../build-options.mjs";

const rule = "-".repeat(80);

/** The licence of every package that harness needs when it runs, as one text. */
export async function licences() {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const parts = ["harness contains code of these packages. Each is followed by its licence."];
  for (const [place, entry] of Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const folder = join(root, place);
    if (!place.includes("node_modules/") || entry.dev || entry.link || !existsSync(folder)) continue;
    const name = `${place.replace(/^.*node_modules\//, "")} ${entry.version}`;
    const texts = [];
    for (const file of (await readdir(folder)).filter((each) => /^(licen[cs]e|notice|copying)/i.test(each))) {
      texts.push((await readFile(join(folder, file), "utf8")).trim());
    }
    parts.push(`${rule}\n${name} (${entry.license ?? "see below"})\n\n${texts.join("\n\n")}`.trim());
  }
  return `${parts.join("\n\n")}\n`;
}
