const stop = new Set("the a an of to in for and or is are be on with it as at by from this that not if".split(" "));
export function wordsOf(s: string): string[] {
  const out: string[] = [];
  for (const m of s.matchAll(/[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+/g)) {
    const parts = m[0]
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
      .split(/[\s_$]+/)
      .filter((x) => x.length > 1)
      .map((x) => x.toLowerCase());
    for (const p of parts) if (!stop.has(p)) out.push(p.replace(/(ing|ed|s)$/, ""));
    if (parts.length > 1) out.push(parts.join(""));
  }
  return out;
}
