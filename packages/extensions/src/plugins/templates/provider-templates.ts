/** Provider templates: they answer by themselves, in the format of OpenAI's chat completions. */
export const providerTemplates = {
  sh: `#!/bin/sh
# A provider of harness. With --stream the request is JSON on stdin, in the format of its protocol, and the raw answer of an API
# goes to stdout, such as: exec curl -sN "$NAME_URL/chat/completions" -H "Authorization: Bearer $NAME_TOKEN" -d @-
case \${1-} in
--describe) echo "NAME, which answers by itself" ;;
--defaults) printf 'protocol=openai\\nmodel=parrot\\n' ;;
--env) ;; # A line for each variable that it uses, the name first. It gets no others.
--ready) ;; # Exit code 0 when it can be used, else 1 with the reason on stderr; no look at the network.
--stream)
  cat > /dev/null
  printf 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hello from NAME."},"finish_reason":null}]}\\n\\n'
  printf 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n'
  ;;
*) echo "usage: NAME --describe | --defaults | --env | --ready | --stream" >&2; exit 2 ;;
esac
`,
  python: `#!/usr/bin/env python3
"""A provider of harness. With --stream the request is JSON on stdin, in the format of its protocol, and the raw answer of an API
goes to stdout. --env names the variables that it uses, a line each; --ready exits with 0 when it can be used."""
import json
import sys

ANSWERS = {
    "--describe": "NAME, which answers by itself",
    "--defaults": "protocol=openai\\nmodel=parrot",
    "--env": "",
    "--ready": "",
}


def send(delta, finish):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    print(f"data: {json.dumps({'choices': [choice]})}\\n", flush=True)


flag = sys.argv[1] if len(sys.argv) > 1 else ""
if flag in ANSWERS:
    print(ANSWERS[flag])
elif flag == "--stream":
    request = json.load(sys.stdin)
    send({"role": "assistant", "content": f"Hello from NAME, to {len(request['messages'])} messages."}, None)
    send({}, "stop")
    print("data: [DONE]\\n")
else:
    sys.exit("usage: NAME --describe | --defaults | --env | --ready | --stream")
`,
  node: `#!/usr/bin/env node
// A provider of harness. With --stream the request is JSON on stdin, in the format of its protocol, and the raw answer of an API
// goes to stdout. --env names the variables that it uses, a line each; --ready exits with 0 when it can be used.
const answers = {
  "--describe": "NAME, which answers by itself",
  "--defaults": "protocol=openai\\nmodel=parrot",
  "--env": "",
  "--ready": "",
};
const flag = process.argv[2] ?? "";

function send(delta, finish_reason) {
  console.log(\`data: \${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\\n\`);
}

if (flag in answers) console.log(answers[flag]);
else if (flag === "--stream") {
  const { messages } = JSON.parse(process.getBuiltinModule("node:fs").readFileSync(0, "utf8"));
  send({ role: "assistant", content: \`Hello from NAME, to \${messages.length} messages.\` }, null);
  send({}, "stop");
  console.log("data: [DONE]\\n");
} else {
  console.error("usage: NAME --describe | --defaults | --env | --ready | --stream");
  process.exitCode = 2;
}
`,
} as const;
