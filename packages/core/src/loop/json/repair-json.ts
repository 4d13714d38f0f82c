/** Escapes for characters that JSON does not allow inside a string. */
const ESCAPES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

/** Blanks to people, but not in JSON: a byte order mark and a no-break space. */
const ODD_SPACES = "\uFEFF\u00A0";

export type RepairedJson = { text: string; repairs: string[] };

/**
 * Repairs unambiguous mistakes in a JSON text: commas before a closing bracket, unescaped line ends or other control
 * characters inside strings, and a byte order mark or a no-break space between values. Nothing is closed or completed. One pass.
 */
export function repairJson(text: string): RepairedJson {
  const repairs = new Set<string>();
  const pieces: string[] = [];
  let from = 0;
  const replace = (at: number, by: string, repair: string) => {
    pieces.push(text.slice(from, at), by);
    from = at + 1;
    repairs.add(repair);
  };
  let inString = false;
  let comma = -1;
  /** The last character that is not whitespace; only a comma after a value is superfluous. */
  let before = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
      else if (char < " ") replace(at, escapeOf(char), "line breaks inside strings were escaped");
      continue;
    }
    if (comma >= 0 && (char === "}" || char === "]")) replace(comma, "", "an extra comma was left out");
    if (ODD_SPACES.includes(char)) replace(at, " ", "whitespace that JSON does not allow was replaced");
    if (/\s/.test(char)) continue;
    comma = char === "," && !"[{,:".includes(before) ? at : -1;
    before = char;
    if (char === '"') inString = true;
  }
  return { text: pieces.join("") + text.slice(from), repairs: [...repairs] };
}

function escapeOf(char: string): string {
  return ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
