import { expect, it } from "vitest";
import { redact } from "./redact.ts";

it.each([
  ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG x", "AWS_SECRET_ACCESS_KEY=[hidden] x"],
  ["tool --token hunter3 --api-key 'hunter4' --key-file a", "tool --token [hidden] --api-key '[hidden]' --key-file a"],
  ["curl -u admin:hunter2 http://x", "curl -u admin:[hidden] http://x"],
  ["curl --user=admin:hunter2 http://x", "curl --user=admin:[hidden] http://x"],
  ["sshpass -p hunter2 ssh x", "sshpass -p [hidden] ssh x"],
  ["mysql -h db -phunter2 -u x", "mysql -h db -p[hidden] -u x"],
  ["git log -u --token-count 5; ls -p x; mkdir -p a/b", "git log -u --token-count 5; ls -p x; mkdir -p a/b"],
])("redact hides the secrets of a command line: %s", (text, clean) => {
  expect(redact(text, [])).toBe(clean);
});

it("redact takes linear time for any text", () => {
  const pieces = ["a-", "mysql ", " --a", " -u a", "secret", "//a", "sshpass -p"];
  for (const piece of pieces) expect(redact(piece.repeat(16_384 / piece.length), [])).toBeTypeOf("string");
});
