import { localTime } from "@harness/protocol";
import { conversationOf, type Entry } from "./conversation.ts";
import { type ExportedAgent, type ExportSource, type ExportWriter, shownSubagents } from "./export-source.ts";
import { escaped, outcomeHtml, picture, prose } from "./html-text.ts";

/** One page that needs nothing else: no network, no scripts, no other files. */
export const htmlExport: ExportWriter = {
  title: "HTML",
  ending: ".html",
  *write(source) {
    const { header, hide } = source;
    const { date, minutes } = localTime(header.createdAt);
    const title = escaped(hide(source.title ?? `Session ${header.sessionId}`));
    yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${POLICY}\n`;
    yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n`;
    yield `<style>${STYLE}</style>\n</head>\n<body>\n<header><h1>${title}</h1>\n`;
    const facts = [header.sessionId, `${date} ${minutes}`, header.cwd].map((each) => escaped(hide(each)));
    yield `<p class="note">${facts.join(" · ")}</p></header>\n<main>\n`;
    yield* section(source);
    yield "</main>\n";
    for (const agent of shownSubagents(source)) {
      yield `<details class="agent" id="${anchor(agent.agentId)}"><summary>Subagent ${escaped(nameOf(agent))}: `;
      yield `${escaped(agent.task)}</summary>\n`;
      yield* section(source, agent);
      yield "</details>\n";
    }
    yield `<footer class="note">Exported by harness ${escaped(source.version)}.</footer>\n</body>\n</html>\n`;
  },
};

/** Even if a text became markup, nothing would be run or fetched. */
const POLICY =
  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

const STYLE = `
:root{color-scheme:light dark;--text:#1c1c1e;--page:#fff;--soft:#f3f3f5;--line:#d5d5da;--dim:#5b5b63;--add:#dff5e1;--cut:#fbe3e3;--accent:#1f5fbf}
@media(prefers-color-scheme:dark){:root{--text:#e6e6e9;--page:#17171a;--soft:#222226;--line:#3a3a40;--dim:#a3a3ad;--add:#173822;--cut:#43201f;--accent:#8ab4f8}}
body{margin:0 auto;max-width:56rem;padding:1.5rem;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;margin:0}p{margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}
.note,.path{color:var(--dim);font-size:.875rem}
.person{border-left:4px solid var(--accent);background:var(--soft);padding:.25rem 1rem;margin:1.5rem 0 1rem}
.reply{margin:1rem 0}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:.25rem .75rem}
summary{cursor:pointer;overflow-wrap:anywhere}
pre{background:var(--soft);border-radius:6px;padding:.5rem .75rem;overflow-x:auto;font:13px/1.45 ui-monospace,monospace;unicode-bidi:plaintext}
code{background:var(--soft);border-radius:4px;padding:0 .25em;font:.9em ui-monospace,monospace}
.diff ins,.diff del,.diff i,.diff span{display:block;text-decoration:none;font-style:normal}
ins{background:var(--add);text-decoration:none}del{background:var(--cut);text-decoration:none}.diff i{color:var(--dim)}
.failed>summary{color:#b3261e}@media(prefers-color-scheme:dark){.failed>summary{color:#f2b8b5}}
table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.15rem .5rem;text-align:left}
img{max-width:100%}footer{margin-top:3rem}
@media print{details{break-inside:avoid}}
`;

const SENDERS: Readonly<Record<Extract<Entry, { kind: "message" }>["from"], string>> = {
  person: "",
  subagent: "Its task, or the result of a subagent",
  agent: "From another agent",
};

function* section(source: ExportSource, agent?: ExportedAgent): Generator<string, void> {
  for (const entry of conversationOf(source, agent)) {
    const html = entryHtml(entry);
    if (html !== "") yield `${html}\n`;
  }
}

function entryHtml(entry: Entry): string {
  switch (entry.kind) {
    case "message": {
      const from = SENDERS[entry.from];
      const note = from === "" ? "" : `<p class="note">${from}</p>`;
      const said = entry.text.trim() === "" ? "" : `<p>${escaped(entry.text.trim())}</p>`;
      return `<section class="person">${note}${said}${entry.images.map(picture).join("")}</section>`;
    }
    case "reply": {
      const thoughts = entry.thoughts === "" ? "" : folded("Thoughts", prose(entry.thoughts));
      const body = `${thoughts}${prose(entry.text)}${entry.isCut ? '<p class="note">(stopped)</p>' : ""}`;
      return body === "" ? "" : `<section class="reply">${body}</section>`;
    }
    case "call": {
      const { name, title, outcome } = entry;
      const label = title.startsWith(name) ? escaped(title) : `<b>${escaped(name)}</b> ${escaped(title)}`;
      if (!outcome) return folded(label, '<p class="note">It had not ended.</p>');
      const isOk = outcome.status === "ok";
      return folded(isOk ? label : `${label} (${outcome.status})`, outcomeHtml(outcome), isOk ? "" : "failed");
    }
    case "subagent": {
      const state = entry.state === "completed" ? "" : ` (${entry.state})`;
      const label = `Subagent ${escaped(entry.name ?? entry.agentId)}: ${escaped(entry.task)}${state}`;
      const link = `<p><a href="#${anchor(entry.agentId)}">Its conversation</a></p>`;
      return folded(label, `${prose(entry.output ?? "")}${link}`, entry.state === "failed" ? "failed" : "");
    }
    case "summary":
      return folded("Older messages were summarised here", prose(entry.text));
    case "note":
      return `<p class="note">${escaped([entry.title, entry.description].filter((text) => text !== undefined).join(" "))}</p>`;
    case "end": {
      const note = entry.sentence === undefined ? "" : `<p class="note">${escaped(entry.sentence)}</p>`;
      return `<section class="reply">${prose(entry.output ?? "")}${note}</section>`;
    }
  }
}

/** `label` and `body` are markup. */
function folded(label: string, body: string, kind = ""): string {
  return `<details${kind === "" ? "" : ` class="${kind}"`}><summary>${label}</summary>\n${body}</details>`;
}

function nameOf({ name, agentId }: ExportedAgent): string {
  return name ?? agentId;
}

function anchor(agentId: string): string {
  return `agent-${agentId.replace(/[^\w.-]/g, "_")}`;
}
