export type PageRequest = { offset: number; limit: number; maxLineChars: number; maxChars: number };
export type NumberedLines = {
  /** Numbered lines, each ending with a line feed. */
  text: string;
  /** First and last line shown, from 1; `last` is below `first` if none is. */
  first: number;
  last: number;
  /** The number of lines; complete only if everything was pushed. */
  totalLines: number;
  /** Lines of the page that are longer than shown. */
  cutLines: number;
  /** True if the page ended because of its size, before `limit` lines. */
  full: boolean;
};

/** Extracts a page of lines from text that arrives in pieces; holds no more than the page. */
export interface NumberedPage {
  push(text: string): void;
  /** True if nothing pushed from now on would be shown. */
  readonly complete: boolean;
  end(): NumberedLines;
}

/** Lines end with LF or CRLF; the last line needs no end. Numbers are six wide, followed by a tab. */
export function createNumberedPage(request: PageRequest): NumberedPage {
  const { offset, limit, maxLineChars, maxChars } = request;
  let text = "";
  let lines = 0;
  let last = offset - 1;
  let cutLines = 0;
  let full = false;
  let open = "";
  let openLength = 0;

  const wanted = () => !full && lines + 1 >= offset && lines + 1 < offset + limit;
  const extend = (piece: string) => {
    openLength += piece.length;
    // Two more than shown: to see that the line is longer, and for the CR of a CRLF.
    if (wanted() && open.length < maxLineChars + 2) open += piece.slice(0, maxLineChars + 2 - open.length);
  };
  const close = () => {
    if (wanted()) {
      const long = openLength > maxLineChars + (open.endsWith("\r") ? 1 : 0);
      const line = long
        ? `${open.slice(0, maxLineChars).toWellFormed()}… [${openLength - maxLineChars} more characters]`
        : open.replace(/\r$/, "");
      const row = `${String(lines + 1).padStart(6)}\t${line}\n`;
      if (text !== "" && text.length + row.length > maxChars) {
        full = true;
      } else {
        text += row;
        last = lines + 1;
        if (long) cutLines++;
      }
    }
    lines++;
    open = "";
    openLength = 0;
  };
  return {
    push(piece) {
      let from = 0;
      for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
        extend(piece.slice(from, end));
        close();
        from = end + 1;
      }
      if (from < piece.length) extend(piece.slice(from));
    },
    get complete() {
      return full || lines + 1 >= offset + limit;
    },
    end() {
      if (openLength > 0) close();
      return { text, first: offset, last, totalLines: lines, cutLines, full };
    },
  };
}
