import type { SearchSettings } from "./web-ports.ts";

export type SearchResult = { title: string; url: string; text: string };

export type SearchEngine = {
  name: string;
  /** The address of the requests, without the query. */
  url: string;
  method: "GET" | "POST";
  /** True for the user's own server, which may be in a private network. */
  isOwn?: true;
  request(query: string, count: number): Promise<SearchRequest | { problem: string }>;
  /** The answer may be anything. */
  read(answer: unknown): SearchResult[];
};
type SearchRequest = { url: string; headers: Record<string, string>; body?: string };

type Row = {
  isSetUp(settings: SearchSettings): boolean;
  engine(settings: SearchSettings): SearchEngine | { problem: string };
};
type SearchName = Exclude<SearchSettings["wanted"], "auto" | "off">;

const OLLAMA = "https://ollama.com/api/web_search";
const BRAVE = "https://api.search.brave.com/res/v1/web/search";

/** In order of preference if none is chosen. */
export const searchEngines: Readonly<Record<SearchName, Row>> = {
  // docs.ollama.com, "Web search".
  ollama: {
    isSetUp: ({ hasOllamaKey }) => hasOllamaKey,
    engine: ({ ollamaKey }) => ({
      name: "Ollama",
      url: OLLAMA,
      method: "POST",
      async request(query, count) {
        const key = await ollamaKey();
        if (key === undefined) return { problem: "Ollama's search needs a key: run `harness auth set ollama`." };
        return {
          url: OLLAMA,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ query, max_results: count }),
        };
      },
      read: (answer) => listIn(answer, "results").map((each) => resultOf(each, "content")),
    }),
  },
  // docs.searxng.org, "Search API"; its server must allow the format `json`.
  searxng: {
    isSetUp: ({ searxngUrl }) => searxngUrl.trim() !== "",
    engine: ({ searxngUrl }) => searxng(searxngUrl.trim()),
  },
  // api-dashboard.search.brave.com, "Web search".
  brave: {
    isSetUp: ({ braveKey }) => braveKey !== undefined,
    engine: ({ braveKey }) => ({
      name: "Brave Search",
      url: BRAVE,
      method: "GET",
      async request(query, count) {
        if (braveKey === undefined) return { problem: "Brave's search needs a key: set BRAVE_API_KEY." };
        // Its limit is 400 characters and 50 words.
        const short = query.split(/\s+/).slice(0, 50).join(" ").slice(0, 400);
        return {
          url: `${BRAVE}?${new URLSearchParams({ q: short, count: String(count) })}`,
          headers: { "x-subscription-token": braveKey },
        };
      },
      read: (answer) => listIn(fieldOf(answer, "web"), "results").map((each) => resultOf(each, "description")),
    }),
  },
};

function searxng(address: string): SearchEngine | { problem: string } {
  const whole = /^https?:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(whole))
    return { problem: `searxng_url is not an address: ${JSON.stringify(address.slice(0, 100))}.` };
  const url = new URL(whole);
  if (url.username !== "" || url.password !== "") {
    return { problem: "searxng_url contains a name or a password, which is not sent. Remove it." };
  }
  url.search = "";
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/search$/, "")}/search`;
  return {
    name: `SearXNG at ${url.host}`,
    url: url.href,
    method: "GET",
    isOwn: true,
    async request(query) {
      return { url: `${url.href}?${new URLSearchParams({ q: query, format: "json" })}`, headers: {} };
    },
    read: (answer) => listIn(answer, "results").map((each) => resultOf(each, "content")),
  };
}

/** The search engine for these settings; a problem when there is none. */
export function engineOf(settings: SearchSettings): SearchEngine | { problem: string } {
  const { wanted } = settings;
  if (wanted === "off") return { problem: "Searching the web is switched off: the setting web_search is `off`." };
  const names = Object.keys(searchEngines) as SearchName[];
  const name = wanted === "auto" ? names.find((each) => searchEngines[each].isSetUp(settings)) : wanted;
  if (name === undefined) return { problem: NONE_SET_UP };
  if (!searchEngines[name].isSetUp(settings))
    return { problem: `web_search is set to ${name}, which is not set up. ${WAYS}` };
  return searchEngines[name].engine(settings);
}

const WAYS =
  "The person can set one of three up: a key of Ollama (`harness auth set ollama`), the address of a SearXNG server " +
  "(the setting searxng_url), or a key of Brave Search (BRAVE_API_KEY in the environment).";
const NONE_SET_UP = `Nothing to search the web with is set up. ${WAYS}`;

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listIn(answer: unknown, name: string): unknown[] {
  const list = fieldOf(answer, name);
  return Array.isArray(list) ? list : [];
}

function resultOf(entry: unknown, textField: string): SearchResult {
  const text = (name: string) => {
    const value = fieldOf(entry, name);
    return typeof value === "string" ? value : "";
  };
  return { title: text("title"), url: text("url"), text: text(textField) };
}
