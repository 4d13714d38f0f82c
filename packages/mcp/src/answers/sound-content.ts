import { isRecord, plainLine } from "@harness/host";

type Json = Readonly<Record<string, unknown>>;

const MAX_TYPE = 60;

/** Tests if text is base64 as the protocol defines it. */
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;
const DATA_ADDRESS = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/** Parts of an answer as the SDK accepts them: an unreadable one becomes a line that says so. */
export function soundContent(answer: unknown): Json[] {
  if (answer === undefined || answer === null) return [];
  return (Array.isArray(answer) ? answer : [answer]).map(partOf);
}

/** The same for the pieces of a resource. */
export function soundPieces(answer: unknown): Json[] {
  if (answer === undefined || answer === null) return [];
  return (Array.isArray(answer) ? answer : [answer]).map((piece: unknown) => {
    const read = isRecord(piece) ? pieceOf(piece) : { problem: "not an object" };
    if (!isProblem(read)) return read;
    return { uri: isRecord(piece) ? textOf(piece.uri) : "", text: unread("piece of the resource", read.problem) };
  });
}

/** The messages of a prompt: one whose parts are a list becomes several, and an unknown role becomes the user's. */
export function soundMessages(answer: unknown): Json[] {
  if (answer === undefined || answer === null) return [];
  return (Array.isArray(answer) ? answer : [answer]).flatMap((message: unknown) => {
    const { role, content } = isRecord(message) ? message : { role: "user", content: message };
    return soundContent(content).map((part) => ({ role: role === "assistant" ? role : "user", content: part }));
  });
}

function partOf(part: unknown): Json {
  if (typeof part === "string") return { type: "text", text: part };
  const read = isRecord(part) ? knownPart(part) : { problem: "not an object" };
  return isProblem(read) ? { type: "text", text: unread("part of the answer", read.problem) } : read;
}

type Problem = { problem: string };

function isProblem(read: Json | Problem): read is Problem {
  return "problem" in read && Object.keys(read).length === 1;
}

function unread(what: string, problem: string): string {
  return `[A ${what} could not be read: ${problem}.]`;
}

function knownPart(part: Json): Json | Problem {
  const { type, text } = part;
  if (type === "image" || type === "audio") return media(type, part);
  if (type === "resource_link") return link(part);
  if (type === "resource") {
    const resource = isRecord(part.resource) ? pieceOf(part.resource) : { problem: "a resource without content" };
    return isProblem(resource) ? resource : { type, resource };
  }
  // Whatever its type, this is text.
  if (typeof text === "string") return { type: "text", text };
  if (type === "text") return { problem: "a text without words" };
  return { problem: `harness does not know the type ${JSON.stringify(plainLine(textOf(type), MAX_TYPE))}` };
}

function media(type: "image" | "audio", { data, mimeType }: Json): Json | Problem {
  const bytes = bytesOf(data, mimeType);
  if (!bytes) return { problem: `the data of the ${type} is not base64` };
  return { type, data: bytes.data, mimeType: bytes.mimeType ?? (type === "image" ? "image/png" : "audio/wav") };
}

function link({ uri, name, title, description, mimeType, size }: Json): Json | Problem {
  if (typeof uri !== "string") return { problem: "a link without an address" };
  const more = Object.entries({ title, description, mimeType }).filter(([, value]) => typeof value === "string");
  return {
    type: "resource_link",
    uri,
    name: typeof name === "string" ? name : uri,
    ...Object.fromEntries(more),
    ...(typeof size === "number" && { size }),
  };
}

function pieceOf({ uri, mimeType, text, blob }: Json): Json | Problem {
  const about = { uri: textOf(uri), ...(typeof mimeType === "string" && { mimeType }) };
  if (typeof text === "string") return { ...about, text };
  if (blob === undefined) return { problem: "neither text nor data" };
  const bytes = bytesOf(blob, mimeType);
  return bytes ? { ...about, blob: bytes.data } : { problem: "its data is not base64" };
}

/** Plain base64, or base64 from a `data:` address. */
function bytesOf(data: unknown, mimeType: unknown): { data: string; mimeType: string | undefined } | undefined {
  if (typeof data !== "string") return undefined;
  const address = DATA_ADDRESS.exec(data.slice(0, 200));
  const plain = address ? data.slice(address[0].length) : data;
  const type = typeof mimeType === "string" && mimeType !== "" ? mimeType : address?.[1];
  return isBase64(plain) ? { data: plain, mimeType: type || undefined } : undefined;
}

function isBase64(data: string): boolean {
  const letters = data.replace(/\s+/g, "");
  return BASE64.test(data) && letters.replace(/=+$/, "").length % 4 !== 1;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
