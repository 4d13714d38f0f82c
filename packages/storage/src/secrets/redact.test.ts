import { expect, it } from "vitest";
import { hideKeys, redact } from "./redact.ts";

it.each([
  ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG x", "AWS_SECRET_ACCESS_KEY=[hidden] x"],
  ["tool --token hunter3 --api-key 'hunter4' --key-file a", "tool --token [hidden] --api-key '[hidden]' --key-file a"],
  ["curl -u admin:hunter2 http://x", "curl -u admin:[hidden] http://x"],
  ["curl --user=admin:hunter2 http://x", "curl --user=admin:[hidden] http://x"],
  ["sshpass -p hunter2 ssh x", "sshpass -p [hidden] ssh x"],
  ["mysql -h db -phunter2 -u x", "mysql -h db -p[hidden] -u x"],
  ["push with npm_0123456789abcdefghij", "push with [hidden]"],
  ["gsk_0123456789abcdefghij and xai-0123456789abcdefghij", "[hidden] and [hidden]"],
  ["git log -u --token-count 5; ls -p x; mkdir -p a/b", "git log -u --token-count 5; ls -p x; mkdir -p a/b"],
])("redact hides the secrets of a command line: %s", (text, clean) => {
  expect(redact(text, [])).toBe(clean);
});

it.each(["npm_a1B2c3D4e5F6g7H8i9J0", "gsk_a1B2c3D4e5F6g7H8i9J0", "ya29.a0AfB_a1B2c3D4e5F6g7H8i9J0"])(
  "a key is hidden in what a tool shows: %s",
  (key) => expect(hideKeys(`has ${key} in it`, () => "[key]")).toBe("has [key] in it"),
);

it("redact takes linear time for any text", () => {
  const pieces = ["a-", "mysql ", " --a", " -u a", "secret", "//a", "sshpass -p"];
  for (const piece of pieces) expect(redact(piece.repeat(16_384 / piece.length), [])).toBeTypeOf("string");
});
