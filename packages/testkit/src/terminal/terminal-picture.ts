import { existsSync } from "node:fs";
import type { ScreenCell, VirtualScreen } from "./virtual-screen.ts";

const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 18;
const FONT_SIZE = 14;
const PADDING = 14;

/** The terminal's default colours. */
export type TerminalColours = { background: string; foreground: string };
export const terminalColours = {
  dark: { background: "#1d1f28", foreground: "#d7dae0" },
  light: { background: "#ffffff", foreground: "#24292e" },
} as const satisfies Record<string, TerminalColours>;

const MONOSPACE = "DejaVu Sans Mono, Menlo, Consolas, monospace";

const fontFolders = ["/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu"];
const fontNames = ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf", "DejaVuSansMono-Oblique.ttf", "DejaVuSans.ttf"];

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);
}

function coloursOf(
  { fg, bg, inverse }: ScreenCell,
  { background, foreground }: TerminalColours,
): { text: string; fill: string | undefined } {
  if (!inverse) return { text: fg ?? foreground, fill: bg };
  return { text: bg ?? background, fill: fg ?? foreground };
}

function at(value: number): string {
  return Number(value.toFixed(1)).toString();
}

function attributesOf(cell: ScreenCell, colours: TerminalColours): string {
  const decorations = [cell.underline ? "underline" : "", cell.strike ? "line-through" : ""].filter(Boolean).join(" ");
  return [
    `fill="${coloursOf(cell, colours).text}"`,
    cell.bold ? ' font-weight="bold"' : "",
    cell.italic ? ' font-style="italic"' : "",
    cell.dim ? ' opacity="0.6"' : "",
    decorations ? ` text-decoration="${decorations}"` : "",
  ].join("");
}

type Run = { x: number; cells: number; text: string; look: string; fill: string | undefined };

/**
 * Such characters may come from another font, which would stretch their neighbours; lines and boxes are in every
 * monospace font.
 */
function isSymbol(text: string): boolean {
  const code = text.codePointAt(0) ?? 0;
  return code > 0x2000 && !(code >= 0x2500 && code <= 0x259f);
}

/** Neighbours in the same style are one text; a wide or joined character is drawn alone, so that nothing drifts. */
function runsOf(row: readonly ScreenCell[], colours: TerminalColours): Run[] {
  const runs: Run[] = [];
  for (const [x, cell] of row.entries()) {
    if (cell.width === 0) continue;
    const text = cell.text === "" ? " " : cell.text;
    const look = attributesOf(cell, colours);
    const { fill } = coloursOf(cell, colours);
    const last = runs[runs.length - 1];
    const alone = cell.width !== 1 || text.length > 1 || isSymbol(text);
    if (
      last &&
      !alone &&
      !isSymbol(last.text) &&
      last.look === look &&
      last.fill === fill &&
      last.cells === last.text.length
    ) {
      last.text += text;
      last.cells += 1;
    } else runs.push({ x, cells: cell.width, text, look, fill });
  }
  return runs;
}

function drawRow(row: readonly ScreenCell[], y: number, colours: TerminalColours): string {
  const top = PADDING + y * CELL_HEIGHT;
  let fills = "";
  let texts = "";
  for (const { x, cells, text, look, fill } of runsOf(row, colours)) {
    const left = at(PADDING + x * CELL_WIDTH);
    const width = at(cells * CELL_WIDTH);
    if (fill) fills += `<rect x="${left}" y="${at(top)}" width="${width}" height="${CELL_HEIGHT}" fill="${fill}"/>`;
    // A browser joins blanks, and would stretch the rest over their room.
    for (const { 0: said, index } of text.matchAll(/\S+(?: \S+)*/g)) {
      const start = at(PADDING + (x + index) * CELL_WIDTH);
      const length = at((cells - (text.length - said.length)) * CELL_WIDTH);
      texts += `<text x="${start}" y="${at(top + CELL_HEIGHT - 5)}" textLength="${length}" ${look}>${escapeXml(said)}</text>`;
    }
  }
  return fills + texts;
}

/** A picture of the current screen. */
export function screenshotSvg(screen: VirtualScreen, colours: TerminalColours = terminalColours.dark): string {
  const width = at(screen.columns * CELL_WIDTH + 2 * PADDING);
  const height = at(screen.rows * CELL_HEIGHT + 2 * PADDING);
  const rows = screen
    .cells()
    .map((row, index) => drawRow(row, index, colours))
    .join("\n");
  const { x, y, shown } = screen.cursor;
  const cursor = shown
    ? `<rect x="${at(PADDING + x * CELL_WIDTH)}" y="${at(PADDING + y * CELL_HEIGHT)}" width="${at(CELL_WIDTH)}" height="${CELL_HEIGHT}" fill="${colours.foreground}" opacity="0.5"/>`
    : "";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    "<title>A terminal with harness in it</title>",
    `<rect width="100%" height="100%" rx="8" fill="${colours.background}"/>`,
    `<g font-family="${MONOSPACE}" font-size="${FONT_SIZE}" xml:space="preserve" style="white-space: pre">`,
    rows,
    cursor,
    "</g></svg>",
  ].join("\n");
}

/** The same as a PNG, twice as large. Characters that are missing in the fonts found here are drawn as boxes. */
export async function screenshotPng(screen: VirtualScreen, colours?: TerminalColours): Promise<Uint8Array> {
  const { renderAsync } = await import("@resvg/resvg-js");
  const fontFiles = fontFolders.flatMap((folder) => fontNames.map((name) => `${folder}/${name}`)).filter(existsSync);
  const image = await renderAsync(screenshotSvg(screen, colours), {
    fitTo: { mode: "zoom", value: 2 },
    font: { fontFiles, loadSystemFonts: fontFiles.length === 0, defaultFontFamily: "DejaVu Sans Mono" },
  });
  return image.asPng();
}
