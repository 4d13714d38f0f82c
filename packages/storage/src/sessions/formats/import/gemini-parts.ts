import { contentOf } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import { isRow, partList, rowOf, shownValue, stringOf } from "./json-values.ts";

type Moment = { at: string; model: string };

/** The parts of a reply or of results as Gemini's API has them. */
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

function takeResponse({ id, response }: Readonly<Record<string, unknown>>, moment: Moment, talk: ImportDraft): void {
  const { output, error } = rowOf(response);
  talk.result(stringOf(id), shownValue(output ?? error ?? response), moment);
}
