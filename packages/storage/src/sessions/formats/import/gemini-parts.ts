import { contentOf } from "./foreign-content.ts";
import type { ImportDraft, ImportedResult } from "./import-draft.ts";
import { isRow, type JsonRow, partList, rowOf, shownValue, stringOf } from "./json-values.ts";

type Moment = { at: string; model: string };

/** The parts of a reply, as in Gemini's API. */
export function takeGeminiParts(value: unknown, moment: Moment, talk: ImportDraft): void {
  for (const part of partList(value)) {
    const { functionCall, functionResponse } = part;
    if (isRow(functionCall))
      talk.call(stringOf(functionCall.id), stringOf(functionCall.name), functionCall.args, moment);
    else if (isRow(functionResponse)) takeResponse(functionResponse, moment, talk);
    else {
      const { text, images } = contentOf([part], talk);
      talk.leave("picture", images.length);
      talk.agent(text, moment);
    }
  }
}

/** The parts of a message with results: anything beside the results, such as a picture, belongs to them. */
export function takeGeminiResults(value: unknown, moment: Moment, talk: ImportDraft): void {
  for (const part of partList(value)) {
    if (isRow(part.functionResponse)) takeResponse(part.functionResponse, moment, talk);
    else {
      const { text, images } = contentOf([part], talk);
      talk.leave("picture of a result", images.length);
      talk.notice(text, moment);
    }
  }
}

export function hasResults(value: unknown): boolean {
  return partList(value).some(({ functionResponse }) => isRow(functionResponse));
}

function takeResponse({ id, response, parts }: JsonRow, moment: Moment, talk: ImportDraft): void {
  talk.leave("picture of a result", partList(parts).filter(({ inlineData }) => isRow(inlineData)).length);
  talk.result(stringOf(id), resultOf(response), moment);
}

function resultOf(response: unknown): ImportedResult {
  const { output, error } = rowOf(response);
  return { text: shownValue(output ?? error ?? response), isError: output === undefined && error !== undefined };
}
