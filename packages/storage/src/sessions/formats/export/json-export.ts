import { type ExportWriter, exportedFacts, hiddenIn } from "./export-source.ts";

/** The version of the document, not of the facts: readers skip unknown kinds of facts. */
const JSON_EXPORT_VERSION = 1;

/** All facts of all agents as in the protocol, one per line. */
export const jsonExport: ExportWriter = {
  title: "JSON",
  ending: ".json",
  *write(source) {
    const { header, title, version, hide } = source;
    const session = hiddenIn({ ...header, ...(title === undefined ? {} : { title }) }, hide);
    const head = { format: "harness-session", version: JSON_EXPORT_VERSION, harness: version, session };
    yield `${JSON.stringify(head).slice(0, -1)},"facts":[`;
    let before = "\n";
    for (const fact of exportedFacts(source)) {
      yield before;
      yield JSON.stringify(fact);
      before = ",\n";
    }
    yield "\n]}\n";
  },
};
