import { type ArgumentTags, readTagged } from "../calls/tagged-arguments.ts";
import { type CallForm, skipSpace } from "../calls/text-call.ts";

const TAGS: ArgumentTags = {
  parameter: /<arg_key>([^<\n]{1,200})<\/arg_key>\s{0,20}<arg_value>/y,
  parameterEnd: "</arg_value>",
  callEnds: ["</tool_call>"],
};
const NAME = /[A-Za-z_][\w.:/-]{0,127}/y;

export const glm: CallForm = {
  id: "glm",
  source: "GLM-4.5 to 4.7 chat templates (Z.ai)",
  openers: ["<tool_call>"],
  closers: ["</tool_call>"],
  read(block) {
    const at = skipSpace(block.text, block.at);
    NAME.lastIndex = at;
    const name = NAME.exec(block.text)?.[0];
    if (name === undefined || !block.tools.takes(name)) return { end: at };
    if (at + name.length === block.text.length) return { end: block.text.length };
    return readTagged(block, name, at + name.length, TAGS);
  },
};
