import { readCallArguments } from "../calls/json-arguments.ts";
import { readJsonCalls } from "../calls/json-calls.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace } from "../calls/text-call.ts";

const MARK = "[TOOL_CALLS]";
/** `name[ARGS]`, in some versions preceded by `[CALL_ID]…`, and `name{` if the mark was dropped. */
const NAMED = /([A-Za-z_][\w.:/-]{0,127})(?:\[CALL_ID\][A-Za-z0-9_-]{1,64})?(?:\[ARGS\]|\s{0,8}(?=\{))/y;

export const mistral: CallForm = {
  id: "mistral",
  source: "Mistral tokenizers v3 to v13 (mistral-common): a list up to v7, a name and its arguments since v11",
  openers: [MARK],
  closers: [],
  read(block) {
    const at = skipSpace(block.text, block.at);
    const first = block.text[at];
    return first === "[" || first === "{" ? readJsonCalls(block, at) : readNamed(block, at);
  },
};

function readNamed(block: BlockStart, at: number): Reading {
  NAMED.lastIndex = at;
  const match = NAMED.exec(block.text);
  const name = match?.[1];
  if (!match || name === undefined || !block.tools.takes(name)) return { end: at };
  return readCallArguments(block.text, at + match[0].length, name);
}
