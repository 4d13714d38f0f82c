import { join } from "node:path";
import { type Contents, isRecord, PrivateFile, parseJson } from "@harness/host";

const answers = ["taken", "declined"] as const;
type Answer = (typeof answers)[number];
type Imports = { readonly answer?: Answer; readonly offered?: true; readonly sessions: readonly string[] };

const MAX_BYTES = 16 * 1024 * 1024;
const NOTHING: Imports = { sessions: [] };

/** The user's answer to the offer of an import, and the sessions that were imported. */
export class ImportRecord {
  readonly #file: PrivateFile<Imports>;

  constructor(configFolder: string) {
    this.#file = new PrivateFile({
      path: join(configFolder, "imports.json"),
      what: "what was imported",
      maxBytes: MAX_BYTES,
      empty: NOTHING,
      parse: recordIn,
      format: (record) => `${JSON.stringify({ version: 1, ...record }, undefined, 2)}\n`,
    });
  }

  get answer(): Answer | undefined {
    return this.#file.read().value.answer;
  }

  /** True if the user has answered, or was asked once. */
  get isOffered(): boolean {
    const { answer, offered } = this.#file.read().value;
    return answer !== undefined || offered === true;
  }

  /** A failure is not reported: the offer is then repeated once. */
  saveOffer(): void {
    this.#file.change((before) => ({ ...before, offered: true }));
  }

  /** The files of imported sessions. */
  get sessions(): ReadonlySet<string> {
    return new Set(this.#file.read().value.sessions);
  }

  /** Returns why it could not be saved. */
  save(answer: Answer, sessions: readonly string[] = []): string | undefined {
    const saved = this.#file.change((before) => ({
      ...before,
      // After an import, a later no concerns only the rest.
      answer: before.answer === "taken" ? "taken" : answer,
      sessions: [...new Set([...before.sessions, ...sessions])],
    }));
    return "problem" in saved ? saved.problem : undefined;
  }
}

function recordIn(bytes: Buffer): Contents<Imports> {
  const json = parseJson(bytes.toString("utf8"));
  if ("why" in json || !isRecord(json.value)) return { value: NOTHING, problems: [], state: "broken" };
  const { answer, offered, sessions } = json.value;
  const known = answers.find((each) => each === answer);
  const paths = Array.isArray(sessions) ? sessions.filter((path): path is string => typeof path === "string") : [];
  return {
    value: { ...(known ? { answer: known } : {}), ...(offered === true ? { offered } : {}), sessions: paths },
    problems: [],
    state: "usable",
  };
}
