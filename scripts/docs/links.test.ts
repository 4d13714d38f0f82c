import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "examples/README.md",
  ...globSync("docs/**/*.md", { cwd: root }),
];

/** A page without its fenced code and comments, which contain neither links nor headings. */
function prose(page: string): string {
  return readFileSync(join(root, page), "utf8")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "");
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    const slug = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The broken links of a page. */
function brokenLinks(page: string, text: string): string[] {
  const targets = [...text.replace(/`[^`\n]*`/g, "").matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, to = ""]) => to);
  return targets.filter((target) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : join(page, "..", path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(file === page ? text : prose(file)).has(anchor);
  });
}

describe("links between pages", () => {
  it.each(pages)("of %s lead to files and headings that exist", (page) => {
    expect(brokenLinks(page, prose(page))).toEqual([]);
  });

  it("are found broken where a file, a heading or an anchor of the page itself is missing", () => {
    const text =
      "# `run` it: again!\n## Again\n## Again\n[a](#run-it-again) [b](#again-1) [c](#again-2) [d](docs/no.md) [e](docs/gate.md#no) [f](docs/gate.md) [g](https://example.com/#x)";
    expect(brokenLinks("README.md", text)).toEqual(["#again-2", "docs/no.md", "docs/gate.md#no"]);
  });
});
