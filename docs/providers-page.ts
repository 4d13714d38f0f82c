import { efforts } from "@harness/protocol";
import { KNOWN_MODELS_DATE, knownModels, sentEffort, type Vendor, vendors } from "@harness/providers";
import { features as contractFeatures } from "./contract-features.ts";
import record from "./contracts.json" with { type: "json" };
import { generated, table } from "./markdown-table.ts";

const apis: Readonly<Record<Vendor["api"], string>> = {
  "openai-chat": "chat completions",
  "openai-responses": "responses",
  anthropic: "Anthropic messages",
  ollama: "Ollama",
};

/** The constraint that each format can put on a reply; chat completions have several, or none. */
const schemas: Readonly<Record<Vendor["api"], string>> = {
  "openai-chat": "",
  "openai-responses": "`text.format`",
  anthropic: "`output_config.format`",
  ollama: "`format`",
};

const thinking: Readonly<Record<Vendor["api"], string>> = {
  "openai-chat": "",
  "openai-responses": "`reasoning.effort`",
  anthropic: "`thinking`",
  ollama: "`think`",
};

const code = (text: string): string => `\`${text}\``;

function apiOf({ api, apiElsewhere }: Vendor): string {
  return apiElsewhere ? `${apis[api]}; ${apis[apiElsewhere]} at other addresses` : apis[api];
}

function accessOf({ keyEnv, otherKeyEnvs = [], local, login }: Vendor): string {
  const names = [keyEnv, ...otherKeyEnvs].map(code).join(" or ");
  if (login) return `a login, or a token in ${names}`;
  return local ? `${names} (only if the server asks for one)` : names;
}

function thinkingOf({ api, quirks }: Vendor): string {
  if (api !== "openai-chat") return thinking[api];
  return quirks.effort ? code(quirks.effort) : "as the model does";
}

function schemaOf({ api, quirks }: Vendor): string {
  if (api !== "openai-chat") return schemas[api];
  return quirks.schema ? code(quirks.schema) : "no";
}

function windowOf({ local, catalogue }: Vendor): string {
  if (local) return "the server";
  return catalogue === "none" ? "the table" : "its list where it was asked for, else the table";
}

function priceOf({ id, local, login, listsPrices }: Vendor): string {
  if (local) return "free";
  if (login) return "unknown (subscription)";
  if (listsPrices) return "from its list";
  const priced = knownModels.filter(({ by, price }) => by === id && price !== undefined).length;
  return priced === 0 ? "unknown, unless `models.json` says" : `table (${priced} rows)`;
}

function addresses(): string {
  return table(
    ["provider", "what", "API", "where it answers", "variable for the address", "key or login", "default model"],
    vendors.map((vendor) => [
      [vendor.id, ...(vendor.aliases ?? [])].map(code).join(", "),
      `${vendor.name}${vendor.local ? " (local)" : ""}`,
      apiOf(vendor),
      vendor.baseUrl,
      code(vendor.baseUrlEnv),
      accessOf(vendor),
      vendor.defaultModel ? code(vendor.defaultModel) : "the first that the server lists",
    ]),
  );
}

function features(): string {
  return table(
    [
      "provider",
      "streaming, tools, images",
      "several calls at once",
      "how thinking is asked for",
      "replies held to a schema",
      "window from",
      "price",
    ],
    vendors.map((vendor) => [
      code(vendor.id),
      "yes, where the model can",
      vendor.quirks.parallelToolCalls ? "yes, asked for" : "yes",
      thinkingOf(vendor),
      schemaOf(vendor),
      windowOf(vendor),
      priceOf(vendor),
    ]),
  );
}

/** What is sent for each level, in the field that the table above names. */
function levels(): string {
  const wanted = efforts.filter((effort) => effort !== "none");
  return table(
    ["provider", ...wanted.map(code)],
    vendors.map((vendor) => [
      code(vendor.id),
      ...wanted.map((effort) => sentEffort({ vendor, api: vendor.api }, effort)),
    ]),
  );
}

const marks: Readonly<Record<string, string>> = { passed: "✓", skipped: "–", failed: "**no**" };

/** The results of the last `npm run docs:contracts`: a row for each vendor and API that the contract ran with. */
function contracts(): string {
  const rows = Object.entries(record).map(([key, outcomes]: [string, Readonly<Record<string, string>>]) => {
    const [vendor = "", wire = ""] = key.split(" ");
    const cells = contractFeatures.map(({ id }) => marks[outcomes[id] ?? "skipped"] ?? "?");
    return [`${code(vendor)}, ${apis[wire as Vendor["api"]] ?? wire}`, ...cells];
  });
  return table(["provider", ...contractFeatures.map(({ title }) => title)], rows);
}

export function providersPage(): string {
  return `# Providers

${generated}${addresses()}

A model is chosen like this: \`--provider\` and \`--model\`, else \`HARNESS_PROVIDER\` and \`HARNESS_MODEL\`, else the settings, else
the first provider that is ready: it has a key or a login, or it is a local server that answers. All of these are asked side by side: a
port that refuses is passed over at once, a server that accepts is waited for up to three seconds (five where you named its address),
and shown as waiting meanwhile. Keys come from the
environment, from your own \`.env\` file (\`~/.config/harness/.env\`, then \`~/.env\`), from the nearest \`.env\` file in the folder or
above it if you [trust](trust.md) it, or from \`harness auth set\` ([auth.md](auth.md)); they never reach child processes, logs or the wire.

Your own \`.env\` files may set every variable. The one of a project may have come with a clone, so only keys are taken from
it, each for its vendor's usual address; other variables named here, and \`HARNESS_…\`, are ignored there, and a warning
names them. Set these in the environment or in \`~/.config/harness/.env\`.

Once you trust a project, its \`.harness/providers/\` counts like your own folder, and before it.

Short names such as \`sonnet\`, \`opus\`, \`gpt\` or \`gemini\` stand for a model of the table; \`--model vendor/model\` names both.

## What each can do

${features()}

The same contract tests run over every row, against a scripted server that speaks as the vendor does. What they said when
\`npm run docs:contracts\` ran last (– = does not apply):

${contracts()}

## How much a model thinks

The setting \`effort\` (\`--effort\`) has the levels of all vendors, from \`none\` to \`max\`; empty leaves it to the model. A vendor that lacks
a level gets the nearest that it has. \`none\` turns thinking off in the vendor's own way. A field that a server refuses is left out from
then on.

${levels()}

Older Claude models and other servers of Anthropic's API take a budget of tokens instead, from 1,024 (\`minimal\`) to 23,000 (\`xhigh\`, \`max\`).
Where the vendor keeps the thoughts (\`openai\`, \`chatgpt\`), \`reasoning_summary\` says how detailed a summary of them is asked for.

## Time limits and retries

A request that failed for a passing reason (no connection, silence, too many requests, trouble of the server) is sent again up to
\`max_retries\` times, after growing pauses or what the server asks for, within five minutes. A server that is silent is given up
after ten minutes where it is near, and after one or two elsewhere; \`request_timeout_secs\` sets another time for all.
\`ollama_max_retries\` and \`ollama_timeout_secs\` are for Ollama alone. All of them count from the next request on.

## Models

Windows, limits and prices (dollars per million tokens) of ${knownModels.length} well-known names are in a table of ${KNOWN_MODELS_DATE}; what a
server says of itself wins over it. An uncertain price is left out, and shown as unknown, never as 0. A price holds at
the maker's own address only. \`models.json\` in \`~/.config/harness\` adds models, and says better, field by field:

\`\`\`json
{
  "models": [
    {
      "match": "my-model",
      "provider": "vllm",
      "windowTokens": 32768,
      "outputTokens": 8192,
      "price": { "input": 0.5, "output": 1.5, "cacheRead": 0.05, "cacheWrite": 0.6 },
      "abilities": { "tools": true, "images": false, "thinking": true },
      "aliases": ["mine"]
    }
  ]
}
\`\`\`

Only \`match\` is needed: the beginning of the name, without the maker's prefix; the longest that fits counts.

## A provider in five lines

A \`.conf\` file in \`~/.config/harness/providers\` or \`~/.harness/providers\` is a provider, named after the file:

\`\`\`
protocol=openai
description=Our own server
model=qwen3-coder
url=https://llm.example/v1
auth_env=OUR_LLM_KEY
\`\`\`

\`protocol\` is \`openai\` (chat completions), \`responses\`, \`anthropic\` or \`ollama\`; \`url\` may be the base or the whole address.
Without \`auth_env\` no key is needed; with it nobody is asked until that variable is set. Where it is taken by itself, it keeps its own \`model\`. \`max_tokens\` limits replies; \`stream\` is understood and changes nothing, for all is
streamed. Lines that begin with \`#\` are comments. A file replaces a built-in provider with the same name. Folders of projects are
not looked at: its author would choose where requests go.

## A program as a provider

An executable in the same folders is a provider, too. It is asked with one argument, and answers on stdout within two seconds:

| argument | answer |
| --- | --- |
| \`--describe\` | a line that says what it is |
| \`--defaults\` | \`protocol=…\` (as above, \`openai\` if absent), \`model=…\`, \`max_tokens=…\`, \`stream=no\`: a line each |
| \`--env\` | the variables that it uses: a line each, the name first |
| \`--ready\` | exit code 0 when it can be used; no look at the network |
| \`--stream\` | the request as JSON on stdin, in the format of its protocol; the raw answer of the API on stdout |

The answer may be server-sent events, a document a line, or one document, of any of the four APIs; errors of the API are understood
as if the server had sent them. Exit code 75 asks to be run again, every other one but 0 is a failure, reported with the last lines
of stderr. It sees \`HARNESS_PROVIDER\`, \`HARNESS_MODEL\`, \`HARNESS_STREAM\`, \`HARNESS_THINKING\`, \`HARNESS_MAX_TOKENS\`, a short
list of harmless variables, and those of its \`--env\`; never the keys of others. With \`stream=no\` it is run without an argument. A
cancelled request ends it, and all that it started. \`examples/plugins/providers/providers/gateway\` is such a program in some thirty lines.

A model file (\`harness model add\`) is such a program to the rest of harness, too: \`packages/gguf\` implements the same small interface,
\`ProviderProgram\` in \`packages/providers/src/programs\`, as the executables do, and the server's composition brings the two together.
Its process is kept between requests and is spoken to over a pipe of its own (\`packages/gguf/src/worker/messages.ts\`) instead of the
one-run protocol above: that keeps what the model has read, streams the prompt's progress, and cancels a request without ending the
process.
`;
}
