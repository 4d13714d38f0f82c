const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

type Line = { text: string; old: number; new: number };

/** The hunks of a unified diff with at most `context` unchanged lines beside each change. */
export function nearContext(hunks: string, context = 3): string {
  const result: string[] = [];
  let lines: Line[] = [];
  const flush = (): void => {
    result.push(...closeHunks(lines, context));
    lines = [];
  };
  let [old, fresh] = [1, 1];
  for (const text of hunks === "" ? [] : hunks.split("\n")) {
    const header = HEADER.exec(text);
    if (header || text.startsWith("@@")) flush();
    if (header) [old, fresh] = [Number(header[1]), Number(header[2])];
    // Our own remark that this many lines are not shown.
    else if (text.startsWith("@@")) result.push(text);
    else {
      lines.push({ text, old, new: fresh });
      if (!text.startsWith("+")) old += 1;
      if (!text.startsWith("-")) fresh += 1;
    }
  }
  flush();
  return result.join("\n");
}

function closeHunks(lines: readonly Line[], context: number): string[] {
  const isKept = lines.map(() => false);
  for (const [index, { text }] of lines.entries()) {
    if (text.startsWith(" ")) continue;
    isKept.fill(true, Math.max(0, index - context), Math.min(lines.length, index + context + 1));
  }
  const result: string[] = [];
  for (let from = isKept.indexOf(true); from >= 0; ) {
    const end = isKept.indexOf(false, from);
    const hunk = lines.slice(from, end < 0 ? lines.length : end);
    result.push(headerOf(hunk), ...hunk.map(({ text }) => text));
    from = end < 0 ? -1 : isKept.indexOf(true, end);
  }
  return result;
}

function headerOf(lines: readonly Line[]): string {
  const count = (without: string): number => lines.filter(({ text }) => !text.startsWith(without)).length;
  return `@@ -${lines[0]?.old},${count("+")} +${lines[0]?.new},${count("-")} @@`;
}
