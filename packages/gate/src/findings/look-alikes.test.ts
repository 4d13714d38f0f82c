import { domainToASCII } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { punycodeHost } from "../places/punycode.ts";
import { lookAlikes } from "./look-alikes.ts";

const texts = (command: string, hosts: string[] = []) =>
  lookAlikes(command, [command.split(" ")], hosts).map(({ text }) => text);

describe("a part of a request that a person could overlook", () => {
  it.each([
    ["ls -l", []],
    ["echo é ❤️ 👩‍💻 日本", []],
    ["ls\n\tx", []],
    ["ls\u200bx", ["U+200B"]],
    ["ls \u202ex", ["U+202E"]],
    ["ls\u00a0x", ["U+00A0"]],
    ["ls \rx", ["U+000D"]],
    ["ls \u001b[2Kx", ["U+001B"]],
    ["ls x\u{e0041}", ["U+E0041"]],
    ["gіt status", ['"gіt"', "U+0456"]],
    ["ｌｓ x", ["U+FF4C"]],
    ["cat src/раckage.json", ['the name "src/раckage.json"', "U+0440, U+0430"]],
    ["cp a ./.gіt/config", ['the name "./.gіt/config"', "U+0456"]],
    ["cat документы/report.txt", []],
  ])("is pointed out: %j", (command, parts) => {
    const said = texts(command).join(" ");
    for (const part of parts) expect(said).toContain(part);
    if (parts.length === 0) expect(said).toBe("");
  });
  it("is the host in its ASCII form", () => {
    expect(texts("curl x", ["аpple.com", "a.example"])).toEqual([
      'the host "аpple.com" may not be what it looks like: it is xn--pple-43d.com',
    ]);
  });
});

describe("a host in its ASCII form", () => {
  it.each(["bücher.example", "例え.テスト", "мир.рф", "ab-ü.c", "faß.de".replace("ß", "ẞ").toLowerCase()])(
    "is read: %s",
    (host) => {
      const spelt = punycodeHost(host);
      if (host.includes("ß")) expect(spelt).toMatch(/^xn--/);
      else expect(spelt).toBe(domainToASCII(host));
    },
  );
  it("stays unchanged when it is plain", () => {
    expect(punycodeHost("a.example")).toBeUndefined();
  });
  const letter = fc.constantFrom(..."abcxyz0189äöéñжщλ字例한글");
  it("is what Node makes of it", () =>
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 20 }), (label) => {
        const node = domainToASCII(`${label}.example`);
        if (node !== "") expect(punycodeHost(`${label}.example`) ?? `${label}.example`).toBe(node);
      }),
    ));
});
