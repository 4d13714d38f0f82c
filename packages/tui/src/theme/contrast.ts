/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];
export type Hex = `#${string}`;

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function hexOf(rgb: Rgb): Hex {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** Relative luminance from 0 to 1 (WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
export function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast from 1 to 21 (WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const STEPS = 32;

/** Mixes `share` of the second colour into the first. */
export function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map((at) => {
    const [a, b] = [from[at] ?? 0, to[at] ?? 0];
    return Math.round(a + (b - a) * share);
  }) as [number, number, number];
}

/**
 * The colour itself if it can be read on this background, otherwise the nearest readable one towards white or black.
 */
export function readable(colour: Rgb, background: Rgb, ratio: number): Rgb {
  if (contrast(colour, background) >= ratio) return colour;
  const end = contrast(WHITE, background) > contrast(BLACK, background) ? WHITE : BLACK;
  for (let step = 1; step < STEPS; step += 1) {
    const tried = mixed(colour, end, step / STEPS);
    if (contrast(tried, background) >= ratio) return tried;
  }
  return end;
}
