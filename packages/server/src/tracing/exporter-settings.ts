type Env = Readonly<Record<string, string | undefined>>;
type Attributes = Readonly<Record<string, string>>;

export type ExporterSettings = { url: URL; headers: Attributes; resource: Attributes };

const DEFAULT_ENDPOINT = "http://localhost:4318";
const ONLY_JSON = "harness speaks OTLP as http/json alone, which collectors take at the same port as http/protobuf.";

/** Of the standard variables; those for traces alone come first. `problem`: why there is no exporter, for people. */
export function exporterSettings(env: Env, version: string): ExporterSettings | { problem: string } {
  const of = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined;
  const { OTEL_TRACES_EXPORTER: exporter = "otlp", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = env;
  if (exporter !== "" && exporter !== "otlp")
    return { problem: `OTEL_TRACES_EXPORTER is ${exporter}: harness knows otlp and none.` };
  const protocol = of("PROTOCOL");
  if (protocol !== undefined && protocol !== "http/json")
    return { problem: `The protocol in OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}. ${ONLY_JSON}` };
  const endpoint = whole || `${(of("ENDPOINT") ?? DEFAULT_ENDPOINT).replace(/\/+$/, "")}/v1/traces`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    return { problem: `OTEL_EXPORTER_OTLP_ENDPOINT is not an address with http or https: ${endpoint}` };
  return {
    url,
    headers: pairs(of("HEADERS")),
    resource: {
      ...pairs(env.OTEL_RESOURCE_ATTRIBUTES),
      "service.name": env.OTEL_SERVICE_NAME || pairs(env.OTEL_RESOURCE_ATTRIBUTES)["service.name"] || "harness",
      "service.version": version,
    },
  };
}

/** `key=value,key=value`, percent-encoded like W3C baggage. */
function pairs(text = ""): Record<string, string> {
  const found = text.split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    const key = pair.slice(0, at).trim();
    return at > 0 && key !== "" ? [[key, decoded(pair.slice(at + 1).trim())]] : [];
  });
  return Object.fromEntries(found);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
