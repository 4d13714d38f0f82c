// Runs in a separate process (html-to-markdown.ts): receives a page, returns its Markdown, and exits.
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";
import { convertOnce } from "../converters/convert-once.ts";
import type { MarkdownAsk } from "./html-to-markdown.ts";

type ElementLike = { nodeName: string; getAttribute(name: string): string | null };

/** Elements that are not content. */
const NOISE = (
  "head title meta link script style noscript template svg canvas iframe object embed nav aside footer form button input " +
  "select textarea dialog"
).split(" ");
/** A shorter main part was probably marked for another purpose. */
const MIN_MAIN_LENGTH = 400;

convertOnce(({ html, url }: MarkdownAsk) => turndownFor(url).turndown(mainPart(html)));

function turndownFor(url: string): TurndownService {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  turndown.use(gfm);
  turndown.addRule("link", {
    filter: (node) => node.nodeName === "A",
    replacement(content, node) {
      const words = content
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .join(" ");
      const target = absolute((node as unknown as ElementLike).getAttribute("href"), url);
      if (words === "" || words.startsWith("#")) return "";
      return target === undefined ? content : `[${words}](${target})`;
    },
  });
  turndown.addRule("image", {
    filter: "img",
    replacement(_content, node) {
      const image = node as unknown as ElementLike;
      const words = (image.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
      const source = absolute(image.getAttribute("src"), url);
      return words === "" || source === undefined ? words : `![${words}](${source})`;
    },
  });
  // The last rule is tried first.
  turndown.addRule("noise", {
    filter: (node) => NOISE.includes(node.nodeName.toLowerCase()) || isHidden(node),
    replacement: () => "",
  });
  return turndown;
}

function isHidden(node: unknown): boolean {
  const element = node as ElementLike;
  return (
    element.getAttribute("hidden") !== null ||
    element.getAttribute("aria-hidden") === "true" ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute("style") ?? "")
  );
}

/** Only web addresses are worth their length; fragments of the same page are not. */
function absolute(href: string | null, url: string): string | undefined {
  if (href === null || href.startsWith("#") || !URL.canParse(href, url)) return undefined;
  const target = new URL(href, url);
  if (!/^(https?|mailto):$/.test(target.protocol)) return undefined;
  return target.href.replaceAll("(", "%28").replaceAll(")", "%29");
}

/** The content of `<main>`, or of the only `<article>`. */
function mainPart(page: string): string {
  for (const name of ["main", "article"]) {
    const open = page.search(new RegExp(`<${name}[\\s>]`, "i"));
    const close = Math.max(page.lastIndexOf(`</${name}>`), page.lastIndexOf(`</${name.toUpperCase()}>`));
    if (open >= 0 && close - open > MIN_MAIN_LENGTH) return page.slice(open, close);
  }
  return page;
}
