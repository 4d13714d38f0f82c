import type { ToolAlias } from "../../ports/tool.ts";
import { type Input, isInput, listIn, renamed, without } from "../argument-names.ts";
import { QUESTION } from "../question.ts";

const keys = {
  question: ["prompt", "message"],
  answers: ["options", "choices", "suggestions", "follow_up"],
  several: ["multiSelect", "multi_select", "multiple", "allow_multiple", "allowMultiple"],
  header: ["label", "title"],
};
/** Names of an answer elsewhere: `label` in `AskUserQuestion`, `request_user_input`, `ask_user` and `question` of opencode. */
const answerKeys = { name: ["label", "title", "text", "value"], description: ["detail", "details"] };

/** How other agents ask: one question, or a list of them; each answer as a text, or as a label with a description. */
export const questionForms: readonly ToolAlias[] =
  "question AskUserQuestion ask_user request_user_input questionnaire ask_followup_question ask_human"
    .split(" ")
    .map((name) => ({ name, tool: QUESTION, convert }));

function convert(input: Input): Input {
  const { questions: written, ...rest } = input;
  const questions = listIn(written);
  if (!Array.isArray(questions) || questions.length === 0) return withMore(oneQuestion(input));
  const [first, ...more] = questions.map((each) => (isInput(each) ? oneQuestion(each) : { question: each }));
  return { ...rest, ...first, ...(more.length > 0 ? { more } : {}) };
}

function withMore(input: Input): Input {
  const more = listIn(input.more);
  return Array.isArray(more)
    ? { ...input, more: more.map((each) => (isInput(each) ? oneQuestion(each) : each)) }
    : input;
}

/** An id is for programs; the window always takes words of the person's own. A secret is not asked for in this way. */
function oneQuestion(input: Input): Input {
  const {
    type,
    isSecret,
    answers: written,
    ...rest
  } = renamed(without(input, "id", "isOther", "allowOther", "custom", "placeholder"), keys);
  const answers = listIn(written);
  const secret = isSecret === true ? { isSecret } : {};
  if (Array.isArray(answers)) return { ...rest, ...secret, answers: answers.map(answerOf) };
  const given = answers === undefined || answers === null ? {} : { answers };
  return { ...rest, ...secret, ...(type === "yesno" ? { answers: ["Yes", "No"] } : given) };
}

function answerOf(written: unknown): unknown {
  if (!isInput(written)) return typeof written === "number" ? String(written) : written;
  const { name, description } = renamed(written, answerKeys);
  const isSaid = typeof description === "string" && description.trim() !== "" && description !== name;
  if (name === undefined) return written;
  return isSaid ? { name, description } : name;
}
