const MAX_CHARS = 1000;
const MAX_STARS = 4;
const MAX_ALTERNATIVES = 1000;

/**
 * Why a glob is not searched with, or undefined. Such patterns become regular expressions and lists of alternatives: a
 * few characters too many of the wrong kind would keep the machine busy for hours.
 */
export function wildProblem(pattern: string): string | undefined {
  if (pattern.trim() === "") return "the pattern is empty";
  if (pattern.includes("\0")) return "the pattern holds a NUL character";
  if (pattern.length > MAX_CHARS) return `the pattern is longer than ${MAX_CHARS} characters`;
  if (/[?*+@!]\(/.test(pattern)) return "forms such as @(a|b) or !(a) are not known here: use {a,b}";
  if (tooManyStars(pattern)) return `a part of the pattern has more than ${MAX_STARS} stars`;
  if (alternatives(pattern) > MAX_ALTERNATIVES) return `its braces stand for more than ${MAX_ALTERNATIVES} patterns`;
  return undefined;
}

/** Each further star between two slashes multiplies the time that a long name can take. */
export function tooManyStars(pattern: string): boolean {
  return pattern.split("/").some((part) => part.replace(/\*+/g, "*").split("*").length - 1 > MAX_STARS);
}

/** An upper bound of the patterns that braces expand to. */
function alternatives(pattern: string): number {
  let product = 1;
  for (const group of pattern.split("{").slice(1)) {
    const range = /^(-?\d+)\.\.(-?\d+)/.exec(group);
    const count = range ? Math.abs(Number(range[2]) - Number(range[1])) + 1 : group.split(",").length;
    product *= count;
  }
  return product;
}
