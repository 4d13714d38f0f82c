// Started by the conformance runner for each scenario: passes address and data to the test's own process, where our
// client is loaded already, and exits as it says.
//   node forward.mjs PORT URL
const [port, url] = process.argv.slice(2);
const { request } = process.getBuiltinModule("node:http");
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const outgoing = request({ host: "127.0.0.1", port, method: "POST" }, async (response) => {
  let text = "";
  for await (const piece of response) text += piece;
  process.stderr.write(text);
  process.exitCode = text === "" ? 0 : 1;
});
outgoing.end(JSON.stringify({ url, context }));
