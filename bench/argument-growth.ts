import type { WireName } from "../packages/providers/src/wires/endpoint/vendor.ts";
import { ReplyDraft } from "../packages/providers/src/wires/reply/reply-draft.ts";
import type { WireApi, WireReader } from "../packages/providers/src/wires/wire-api.ts";
import { wireOf } from "../packages/providers/src/wires/wires.ts";
import { type Figure, median } from "./figures.ts";

/** The events of one call with arguments `{"text":"xxx…"}`, in each API's own format (the vendors' API references). */
type CallStory = {
  name: string;
  api: WireName;
  open: string;
  /** One more character of the arguments. */
  grow: string;
  close: string;
  /** Bytes of one read. */
  readBytes: number;
  /** Reads are too small to be measured by bytes. */
  isSlow?: true;
};

const BEGIN = '{"text":"';
const END = '"}';
const LETTER = "x";
/** The most bytes that one read of a socket returns. */
const SOCKET = 65_536;

const json = (text: string): string => JSON.stringify(text);
const sse = (data: string, event?: string): string => `${event ? `event: ${event}\n` : ""}data: ${data}\n\n`;
const named = (type: string, rest: string): string => sse(`{"type":"${type}",${rest}}`, type);

const chunk = (delta: string, finish = "null"): string =>
  sse(
    `{"id":"chatcmpl-9wZ","object":"chat.completion.chunk","created":1763769600,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}`,
  );
const chatPiece = (text: string): string =>
  chunk(`{"tool_calls":[{"index":0,"function":{"arguments":${json(text)}}}]}`);

const responsePiece = (text: string): string =>
  named("response.function_call_arguments.delta", `"item_id":"fc_1","output_index":0,"delta":${json(text)}`);

const messagePiece = (text: string): string =>
  named("content_block_delta", `"index":0,"delta":{"type":"input_json_delta","partial_json":${json(text)}}`);

/** Ollama sends a call whole, in one line: only the reads can be small there. */
const ollamaStory = {
  api: "ollama" as const,
  open: `{"message":{"role":"assistant","tool_calls":[{"function":{"name":"write","arguments":${BEGIN}`,
  grow: LETTER,
  close: `${END}}}]},"done":false}\n{"message":{"content":""},"done":true,"done_reason":"stop"}\n`,
};

const stories: readonly CallStory[] = [
  {
    name: "chat",
    api: "openai-chat",
    open:
      chunk('{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"write","arguments":""}}]}') +
      chatPiece(BEGIN),
    grow: chatPiece(LETTER),
    close: `${chatPiece(END)}${chunk("{}", '"tool_calls"')}${sse("[DONE]")}`,
    readBytes: SOCKET,
  },
  {
    name: "responses",
    api: "openai-responses",
    open:
      named(
        "response.output_item.added",
        '"output_index":0,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"write","arguments":""}',
      ) + responsePiece(BEGIN),
    grow: responsePiece(LETTER),
    close: responsePiece(END) + named("response.completed", '"response":{"status":"completed","output":[]}'),
    readBytes: SOCKET,
  },
  {
    name: "messages",
    api: "anthropic",
    open:
      named("content_block_start", '"index":0,"content_block":{"type":"tool_use","id":"a","name":"write","input":{}}') +
      messagePiece(BEGIN),
    grow: messagePiece(LETTER),
    close:
      messagePiece(END) +
      named("content_block_stop", '"index":0') +
      named("message_delta", '"delta":{"stop_reason":"tool_use"}') +
      sse('{"type":"message_stop"}', "message_stop"),
    readBytes: SOCKET,
  },
  { ...ollamaStory, name: "Ollama, in one line", readBytes: SOCKET },
  { ...ollamaStory, name: "Ollama, in reads of 1 byte", readBytes: 1, isSlow: true },
];

/** Many events as one buffer, then the remaining ones. */
function* readsOf(story: CallStory, characters: number): Generator<Uint8Array> {
  const { grow, readBytes } = story;
  yield Buffer.from(story.open);
  const together = Math.min(characters, 4_096);
  const block = Buffer.from(grow.repeat(together));
  let left = characters;
  for (; left >= together; left -= together)
    for (let at = 0; at < block.length; at += readBytes) yield block.subarray(at, at + readBytes);
  const rest = Buffer.from(grow.repeat(left));
  for (let at = 0; at < rest.length; at += readBytes) yield rest.subarray(at, at + readBytes);
  yield Buffer.from(story.close);
}

/**
 * Like a provider that reads a reply, but without the network: bytes to events to the call, and its arguments as an
 * object.
 */
function readCall(api: WireApi, reads: Iterable<Uint8Array>): number {
  const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "call_new" });
  const reader: WireReader = api.reader(draft);
  const framing = api.framing();
  for (const bytes of reads) {
    for (const { lines, name } of framing.push(bytes)) {
      const [line = ""] = lines;
      if (line !== "[DONE]") reader.read(JSON.parse(line), name);
    }
    draft.takeDeltas();
  }
  reader.finish();
  const [part] = draft.end().parts;
  return part?.type === "tool_call" ? String(part.input?.text).length : 0;
}

type Timing = { ms: number; wireBytes: number };

async function timed(story: CallStory, characters: number): Promise<Timing> {
  const api = await wireOf(story.api);
  const startedMs = performance.now();
  const length = readCall(api, readsOf(story, characters));
  const ms = performance.now() - startedMs;
  if (length !== characters) throw new Error(`${story.name}: ${length} of ${characters} characters came through.`);
  return { ms, wireBytes: story.open.length + story.close.length + characters * story.grow.length };
}

/** The minimum: each event's JSON is parsed, and nothing is done with it. */
function parsedMs({ grow }: CallStory, characters: number): number {
  const data = grow.slice(grow.indexOf("{")).trimEnd();
  const startedMs = performance.now();
  if (data.startsWith("{")) for (let n = 0; n < characters; n += 1) JSON.parse(data);
  // Ollama's are parsed once, as a whole.
  else JSON.parse(json(LETTER.repeat(characters)));
  return performance.now() - startedMs;
}

const MEGABYTE = 2 ** 20;

function sizesUpTo(largest: number): number[] {
  const sizes: number[] = [];
  for (let size = 1; size < largest; size *= 2) sizes.push(size);
  return [...sizes, largest];
}

const perSecond = (bytes: number, ms: number): number => bytes / 1e6 / (ms / 1000);

/** One size: how many bytes of the wire per second, and how long one letter of the arguments takes. */
async function measure(
  story: CallStory,
  megabytes: number,
  times: number,
): Promise<{ figure: Figure; nsEach: number }> {
  const characters = megabytes * MEGABYTE;
  const timings: Timing[] = [];
  for (let n = 0; n < times; n += 1) timings.push(await timed(story, characters));
  const [{ wireBytes } = { wireBytes: 0 }] = timings;
  const bare = [perSecond(wireBytes, parsedMs(story, characters))];
  const figure: Figure = {
    name: `${megabytes} MB of arguments, ${story.name}`,
    unit: "MB/s",
    runs: timings.map(({ ms }) => perSecond(wireBytes, ms)),
    ...(!story.isSlow && { atLeast: 50, yardstick: { name: "JSON.parse", runs: bare } }),
  };
  return { figure, nsEach: (median(timings.map(({ ms }) => ms)) * 1e6) / characters };
}

/**
 * Checks that the arguments of a call that arrive letter by letter take twice as long if they are twice as long, and no
 * longer.
 */
export async function argumentGrowthFigures(times: number, largestMegabytes: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const story of stories) {
    await timed(story, MEGABYTE / 4);
    const all: number[] = [];
    for (const size of sizesUpTo(largestMegabytes)) {
      const { figure, nsEach } = await measure(story, size, size > 2 ? 1 : times);
      figures.push(figure);
      all.push(nsEach);
    }
    const growth = (all.at(-1) ?? Number.NaN) / (all[0] ?? Number.NaN);
    const name = `– time a letter, ${largestMegabytes} MB against 1 MB: ${story.name}`;
    if (all.length > 1) figures.push({ name, unit: "×", runs: [growth], target: 1.5 });
  }
  return figures;
}
