// What the conformance runner starts for each scenario: hands address and data on to the test's own process, where our client
// is loaded already, and ends as it says.
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
