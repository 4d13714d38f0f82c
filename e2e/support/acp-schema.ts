import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Schema, Validator } from "@cfworker/json-schema";

/** The schema of the protocol, of the SDK that the agent is written with; each definition names its method. */
type ProtocolSchema = { $defs: Record<string, Schema & { "x-method"?: string; "x-side"?: string }> };

const path = fileURLToPath(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json"));
const schema: ProtocolSchema = JSON.parse(readFileSync(path, "utf8"));
const validators = new Map<string, Validator>();

/** A message of an agent. */
export type AcpMessage = {
  jsonrpc: "2.0";
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

/** The names of the protocol: methods by the side that answers them, and the kinds of `session/update`. */
export function protocolNames() {
  const of = (isWanted: (side: string) => boolean) => [
    ...new Set(
      Object.values(schema.$defs).flatMap(({ "x-method": method, "x-side": side = "" }) =>
        method !== undefined && !method.startsWith("$/") && isWanted(side) ? [method] : [],
      ),
    ),
  ];
  const kinds = schema.$defs.SessionUpdate?.oneOf ?? schema.$defs.SessionUpdate?.anyOf ?? [];
  const kindOf = (kind: Schema): unknown => Object(kind.properties?.sessionUpdate).const;
  return {
    agentMethods: of((side) => side === "agent"),
    clientMethods: of((side) => side === "client"),
    otherMethods: of((side) => side === "proxy"),
    updates: kinds.map(kindOf).filter((kind) => typeof kind === "string"),
  };
}

/** Why a message of the agent does not fit the schema; `asked`: the method that a response answers. */
export function schemaProblems(message: AcpMessage, asked: string | undefined): string[] {
  if (message.jsonrpc !== "2.0") return ["no jsonrpc: 2.0"];
  const { method, params, result } = message;
  if (method?.startsWith("_") || method === "$/cancel_request" || asked?.startsWith("_")) return [];
  if (method !== undefined) return problems(named(method, "client", /Request$|Notification$/), params, method);
  if (result === undefined) return message.error ? [] : ["neither a result nor an error"];
  return asked === undefined
    ? ["an answer to nothing"]
    : problems(named(asked, "agent", /Response$/), result, `the answer to ${asked}`);
}

function named(method: string, side: string, form: RegExp): string | undefined {
  return Object.entries(schema.$defs).find(
    ([name, row]) => row["x-method"] === method && row["x-side"] === side && form.test(name),
  )?.[0];
}

function problems(name: string | undefined, value: unknown, where: string): string[] {
  if (name === undefined) return [`${where} is not in the schema`];
  const { valid, errors } = validatorOf(name).validate(value);
  const unknown = unknownFields(name, value).map((field) => `${where} has the field ${field}, which ${name} lacks`);
  if (valid) return unknown;
  return [...unknown, ...errors.map(({ instanceLocation, error }) => `${where} ${instanceLocation}: ${error}`)];
}

function validatorOf(name: string): Validator {
  const known = validators.get(name) ?? new Validator({ $ref: `#/$defs/${name}`, $defs: schema.$defs }, "2020-12");
  validators.set(name, known);
  return known;
}

/** The protocol allows no fields of one's own beside those of a type; `_meta` is the place for them. */
function unknownFields(name: string, value: unknown): string[] {
  const { properties, anyOf } = schema.$defs[name] ?? {};
  if (!properties || anyOf || typeof value !== "object" || value === null) return [];
  return Object.keys(value).filter((field) => !Object.hasOwn(properties, field));
}
