// The cost of 60 tool calls for a server that caches the prefix of the last prompt: how often that prefix changes, and
// how many tokens must be read again.
import type { ModelRequest } from "@harness/core";
import { call, calling, commandTool, MemorySession, memoryTools, type Script, saying } from "@harness/testkit";
import type { Figure } from "./figures.ts";

const CALLS = 60;
const FILES = ["cart", "order", "price", "stock", "user", "mail"];
const CHARS_PER_TOKEN = 4;

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `${n + 1}\tconst ${name}${n} = compute(${name}, ${n});`).join("\n");

/** Reads two files repeatedly, changes one of them, runs tests, and reads others in between. */
function nextCall(n: number) {
  const file = `${FILES[n % FILES.length]}.ts`;
  const kinds = [
    call(`c${n}`, "read", { file_path: "cart.ts" }),
    call(`c${n}`, "write", { file_path: "cart.ts", content: lines(`cart${n}_`, 40) }),
    call(`c${n}`, "bash", { command: "npm test" }),
    call(`c${n}`, "read", { file_path: file }),
    call(`c${n}`, "bash", { command: `grep -rn price${n} src` }),
  ];
  return kinds[n % kinds.length] ?? call(`c${n}`, "bash", { command: "npm test" });
}

const isSummary = (request: ModelRequest): boolean => request.priority === "background";
const textOf = ({ system, tools, messages }: ModelRequest): string =>
  `${system}${JSON.stringify(tools)}${JSON.stringify(messages).slice(0, -1)}`;

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

async function measure(contextWindow: number): Promise<Record<string, number>> {
  const files = new Map(FILES.map((name) => [`/work/${name}.ts`, lines(name, 60)]));
  const run = commandTool(({ command }) => ({
    status: "ok",
    text: lines(command.replace(/\W+/g, "_"), 90),
    blocks: [],
  }));
  let made = 0;
  const script: Script = (request) => {
    if (isSummary(request)) return saying("The cart is being repaired. ".repeat(120));
    if (made === CALLS) return saying("Done.");
    made += 1;
    return calling({ type: "text", text: `Step ${made}: the next thing to look at.` }, nextCall(made - 1));
  };
  const tools = [...memoryTools(files).filter(({ name }) => name !== "bash"), run];
  const memory = new MemorySession({ script, tools, contextWindow });
  await memory.say("Repair the cart, and keep the tests green.");
  let last = "";
  let breaks = 0;
  let tokens = 0;
  for (const request of memory.provider.requests) {
    const text = textOf(request);
    // A server with a slot for each lane: a summary is read completely and takes nothing from the conversation.
    const kept = isSummary(request) ? 0 : commonLength(last, text);
    tokens += (text.length - kept) / CHARS_PER_TOKEN;
    if (isSummary(request)) continue;
    if (last !== "" && kept < last.length) breaks += 1;
    last = text;
  }
  const summaries = memory.provider.requests.filter(isSummary).length;
  return { requests: memory.provider.requests.length - summaries, summaries, breaks, tokens };
}

export async function contextFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const contextWindow of [8_192, 32_768]) {
    const found = await measure(contextWindow);
    const name = `${CALLS} calls in a window of ${contextWindow / 1_024}k`;
    const figure = (what: string, unit: Figure["unit"], value = 0): Figure => ({
      name: `${name}: ${what}`,
      unit,
      runs: [value],
    });
    figures.push(
      figure("requests of the turn", "×", found.requests),
      figure("requests for summaries", "×", found.summaries),
      figure("new beginnings of the prompt", "×", found.breaks),
      figure("tokens that were read again", "tokens", found.tokens),
    );
  }
  return figures;
}
