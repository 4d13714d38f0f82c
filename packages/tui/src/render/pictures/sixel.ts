/** Steps of red, green and blue: 252 colours, which every sixel terminal has. */
const STEPS = { r: 6, g: 7, b: 6 } as const;
/** Dithering thresholds that spread the error of so small a palette over neighbouring pixels. */
const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((each) => (each + 0.5) / 16);
const BAND = 6;
const OPAQUE = 128;

type Pixels = { readonly rgba: Uint8Array; readonly widthPx: number; readonly heightPx: number };

/** An image as sixels, in bands of six pixel rows; transparent pixels leave the screen as it is. */
export function sixelPicture(pixels: Pixels): string {
  const { widthPx, heightPx } = pixels;
  const used = new Set<number>();
  const bands: string[] = [];
  for (let top = 0; top < heightPx; top += BAND) bands.push(band(pixels, top, used));
  const palette = [...used].map((colour) => `#${colour};2;${percents(colour).join(";")}`).join("");
  return `\u001bP0;1;0q"1;1;${widthPx};${heightPx}${palette}${bands.join("-")}\u001b\\`;
}

function band({ rgba, widthPx, heightPx }: Pixels, top: number, used: Set<number>): string {
  const columns = new Map<number, Uint8Array>();
  for (let y = top; y < Math.min(heightPx, top + BAND); y++) {
    for (let x = 0; x < widthPx; x++) {
      const at = (y * widthPx + x) * 4;
      if ((rgba[at + 3] ?? 0) < OPAQUE) continue;
      const colour = nearest(rgba, at, BAYER[(y % 4) * 4 + (x % 4)] ?? 0.5);
      let bits = columns.get(colour);
      if (!bits) {
        bits = new Uint8Array(widthPx);
        columns.set(colour, bits);
        used.add(colour);
      }
      bits[x] = (bits[x] ?? 0) | (1 << (y - top));
    }
  }
  return [...columns].map(([colour, bits]) => `#${colour}${runs(bits)}`).join("$");
}

function nearest(rgba: Uint8Array, at: number, threshold: number): number {
  const step = (value: number, steps: number) =>
    Math.min(steps - 1, Math.floor((value / 255) * (steps - 1) + threshold));
  const r = step(rgba[at] ?? 0, STEPS.r);
  const g = step(rgba[at + 1] ?? 0, STEPS.g);
  const b = step(rgba[at + 2] ?? 0, STEPS.b);
  return (r * STEPS.g + g) * STEPS.b + b;
}

function percents(colour: number): number[] {
  const share = (value: number, steps: number) => Math.round((value * 100) / (steps - 1));
  const b = colour % STEPS.b;
  const g = Math.floor(colour / STEPS.b) % STEPS.g;
  return [share(Math.floor(colour / (STEPS.b * STEPS.g)), STEPS.r), share(g, STEPS.g), share(b, STEPS.b)];
}

/** Run-length encodes equal columns of six pixels; empty ones at the end are left out. */
function runs(bits: Uint8Array): string {
  let end = bits.length;
  while (end > 0 && bits[end - 1] === 0) end -= 1;
  let out = "";
  for (let x = 0; x < end; ) {
    let count = 1;
    while (x + count < end && bits[x + count] === bits[x]) count += 1;
    const sixel = String.fromCharCode(63 + (bits[x] ?? 0));
    out += count > 3 ? `!${count}${sixel}` : sixel.repeat(count);
    x += count;
  }
  return out;
}
