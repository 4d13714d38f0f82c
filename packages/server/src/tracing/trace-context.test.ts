import { describe, expect, it } from "vitest";
import { exporterSettings } from "./exporter-settings.ts";
import { readTraceparent, traceparentText } from "./trace-context.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";

describe("a trace context", () => {
  it.each([`00-${trace}-${span}-01`, `00-${trace}-${span}-00`])("%s is read and written", (text) => {
    const context = readTraceparent(text);
    expect(context && traceparentText(context)).toBe(text);
  });

  it.each([
    ["", false],
    [`00-${trace}-${span}`, false],
    [`00-${trace.toUpperCase()}-${span}-01`, false],
    [`00-${"0".repeat(32)}-${span}-01`, false],
    [`00-${trace}-${"0".repeat(16)}-01`, false],
    [`00-${trace}-${span}-01-more`, false],
    [`ff-${trace}-${span}-01`, false],
    [`01-${trace}-${span}-01-more`, true],
    [` 00-${trace}-${span}-03 `, true],
  ])("%j is valid: %s", (text, isValid) => expect(readTraceparent(text) !== undefined).toBe(isValid));
});

describe("the settings of the exporter", () => {
  const address = (env: Record<string, string>) => {
    const settings = exporterSettings(env, "1.0.0");
    return "problem" in settings ? settings.problem : settings.url.href;
  };

  it.each<[Record<string, string>, string]>([
    [{ OTEL_TRACES_EXPORTER: "otlp" }, "http://localhost:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example/base/" }, "https://c.example/base/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c.example/own" }, "https://c.example/own"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example", OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
      "https://c.example/v1/traces",
    ],
  ])("of %j send to %s", (env, url) => expect(address(env)).toBe(url));

  it.each<[Record<string, string>, RegExp]>([
    [{ OTEL_TRACES_EXPORTER: "console" }, /OTEL_TRACES_EXPORTER is console/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, /http\/json alone/],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" }, /is grpc/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4317" }, /not an address/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "file:///tmp/x" }, /not an address/],
  ])("of %j are refused with a reason", (env, reason) => expect(address(env)).toMatch(reason));

  it("have decoded headers and attributes, and a name", () => {
    const settings = exporterSettings(
      {
        OTEL_EXPORTER_OTLP_HEADERS: "a=1%202, broken,=x, b = y=z ,c=%",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=mine,team=a",
        OTEL_SERVICE_NAME: "",
      },
      "1.0.0",
    );
    expect(settings).toMatchObject({
      headers: { a: "1 2", b: "y=z", c: "%" },
      resource: { "service.name": "mine", team: "a", "service.version": "1.0.0" },
    });
  });
});
