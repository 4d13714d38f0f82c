import type { SetupOption } from "@harness/client";
import { elapsed } from "../../figures/elapsed.ts";
import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import { EMPTY_ROW, type Row, row, sanitise, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { listMarker } from "../../widgets/boxes.ts";
import type { Field } from "../../widgets/line-field.tsx";
import { listWindow } from "../../widgets/list-slice.ts";
import type { LoginPage, SetupPage } from "./setup-page.ts";

const BOLD = style({ bold: true });
const LABEL = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
const LABEL_COLUMNS = 20;

/** A way to get a model, as a list row. */
export function optionRow({ label, detail }: SetupOption, { isMarked }: { isMarked: boolean }): Row {
  return row(
    listMarker(sanitiseLine(label).padEnd(LABEL_COLUMNS), { isMarked }),
    span(`  ${sanitiseLine(detail)}`, MUTED),
  );
}

/** Sentences wrapped to this width. */
export function sentences(texts: readonly string[], columns: number, look = MUTED): Row[] {
  return texts.flatMap((text) => wrapSpans([span(sanitise(text), look)], columns));
}

type SetupRowOptions = { readonly columns: number; readonly rows: number; readonly keys: KeyLabels };

/** A page: the rows above and below its input field, if it has one, and the text about its keys. */
export type PageRows = { above: Row[]; field: Field | undefined; below: Row[]; keys: string };

/** The page of the chosen way. */
export function pageRows(page: SetupPage, look: SetupRowOptions): PageRows {
  const { columns, keys: names } = look;
  if (page.kind === "vendors") {
    const move = names.hint(["lists.up", "lists.down"], "move");
    const keys = hints(move, acceptHint(names, "type its key"));
    return { above: vendorRows(page, look), field: undefined, below: [], keys };
  }
  const { title, words, label, keys } = pages[page.kind](page as never, names);
  const waiting = page.busy ? [row(span(waitingText(page), MUTED))] : [];
  const problem = page.problem === undefined ? [] : sentences([page.problem], columns, WARNING);
  const login = page.kind === "login" ? addressRows(page, columns) : [];
  const isTyped = page.kind === "login" ? page.login !== undefined : page.kind !== "load";
  const field = isTyped
    ? { label: [span(label, LABEL)], text: page.field.text, isSecret: page.kind === "key" }
    : undefined;
  const above = [row(span(title, BOLD)), EMPTY_ROW, ...login, ...sentences(words, columns), EMPTY_ROW];
  return { above, field, below: [...waiting, EMPTY_ROW, ...problem], keys };
}

function waitingText(page: Exclude<SetupPage, { kind: "vendors" }>): string {
  if (page.kind === "load")
    return ["Loading…", ...(page.waitedMs === undefined ? [] : [elapsed(page.waitedMs)])].join(" · ");
  if (page.kind !== "pull" || page.progress === undefined) return "Asking…";
  return `Downloading: ${sanitiseLine(page.progress)}`;
}

type PageText = { title: string; words: string[]; label: string; keys: string };
type Pages = {
  [K in Exclude<SetupPage["kind"], "vendors">]: (page: Extract<SetupPage, { kind: K }>, keys: KeyLabels) => PageText;
};

function acceptHint(keys: KeyLabels, what: string, leave = "back"): string {
  return hints(keys.hint("set up.accept", what), keys.hint("set up.back", leave));
}

const pages: Pages = {
  key: ({ name }, keys) => ({
    title: `API key for ${sanitiseLine(name)}`,
    words: ["Type or paste it. It is hidden, and saved in the system's keyring or in a private file."],
    label: "Key: ",
    keys: acceptHint(keys, "save"),
  }),
  login: ({ name, login }, keys) => ({
    title: `Log in with ${sanitiseLine(name)}`,
    words: [loginWords(login)],
    label: "Pasted: ",
    keys: login ? acceptHint(keys, "continue", "cancel") : keys.hint("set up.back", "cancel"),
  }),
  address: (_page, keys) => ({
    title: "Address of a server",
    words: [
      "Such as http://192.168.1.20:8080 or localhost:4000/v1. harness detects the kind of server and saves the address.",
    ],
    label: "Address: ",
    keys: acceptHint(keys, "connect"),
  }),
  pull: ({ name, busy }, keys) => ({
    title: `Pull a model with ${sanitiseLine(name)}`,
    words: ["Its name, such as qwen3-coder or gpt-oss:20b. What has arrived is kept when you stop."],
    label: "Model: ",
    keys: busy ? keys.hint("set up.back", "stop") : acceptHint(keys, "download"),
  }),
  load: ({ name, model, busy }, keys) => ({
    title: `${sanitiseLine(name)} loads ${sanitiseLine(model)}`,
    words: ["It has the model, but not in memory. This may take minutes; the context window is known afterwards."],
    label: "",
    keys: busy ? keys.hint("set up.back", "stop waiting") : acceptHint(keys, "try again"),
  }),
  file: ({ uninstalled }, keys) => ({
    title: "Model file",
    words: [
      uninstalled
        ? "The file can be used once its runtime, node-llama-cpp, is installed (about 120 MB, with npm)."
        : "The path of a .gguf file. harness runs it itself.",
    ],
    label: "File: ",
    keys: acceptHint(keys, uninstalled ? "install" : "use"),
  }),
};

function loginWords(login: LoginPage["login"]): string {
  if (!login) return "Starting the login…";
  if (login.redirect === undefined) return `Then ${login.paste}.`;
  return `Waiting for the browser to return to ${login.redirect}. If it does not: ${login.paste}.`;
}

/** The address gets separate rows, so that it can be copied. */
function addressRows({ login }: LoginPage, columns: number): Row[] {
  if (!login) return [];
  const address = wrapSpans([span(sanitiseLine(login.url))], columns, "hard");
  return [row(span("Open this address in your browser:")), EMPTY_ROW, ...address, EMPTY_ROW];
}

function vendorRows({ vendors, selected }: Extract<SetupPage, { kind: "vendors" }>, { rows }: SetupRowOptions): Row[] {
  const { from, to } = listWindow(selected, vendors.length, rows - 4);
  return [
    row(span("Whose API key?", BOLD)),
    EMPTY_ROW,
    ...vendors.slice(from, to).map(({ name, keyEnv, ready }, at) => {
      const about = span(`  ${ready ? "has a key" : `or set ${keyEnv}`}`, MUTED);
      return row(listMarker(sanitiseLine(name).padEnd(LABEL_COLUMNS), { isMarked: from + at === selected }), about);
    }),
  ];
}
