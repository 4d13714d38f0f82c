import { describe, expect, it } from "vitest";
import { addressClass } from "./address-class.ts";
import { readWebAddress } from "./web-address.ts";

const strict = { allowedPrivate: [], isSecret: (text: string) => text.includes("hunter2-secret") };

/** One per line: the class, and its addresses. */
const classes: Record<string, string> = {
  public:
    "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.167.1.1 2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 ::ffff:808:808 ::8.8.8.8",
  own: "0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.1.1 100.64.0.1 100.127.255.255 :: ::1 fe80::1 fe80::1%eth0 febf::1 fc00::1 fdff::1 fec0::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.1.1.1 0:0:0:0:0:ffff:c0a8:1 ::127.0.0.1 ::192.168.1.1",
  metadata:
    "169.254.169.254 169.254.169.253 169.254.169.123 169.254.170.2 169.254.170.23 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd00:ec2:0:0::254 fd20:ce::254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::169.254.169.254",
  odd: "192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 2002:7f00:1:: 2002:808:808::1 2001::1 2001:0:53aa:64c:: 2001:db8::1 2001:10::1 2001:20::1 3fff::1 5f00::1 100::1 ff02::1 ff0e::1 4000::1 8000::1 e000::1 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 example.com 1.2.3 1.2.3.4.5 01.2.3.x",
};

describe("addressClass", () => {
  it.each(Object.entries(classes).flatMap(([kind, all]) => all.split(" ").map((address) => [address, kind])))(
    "classifies %s as %s",
    (address, kind) => expect(addressClass(address)).toBe(kind),
  );
});

const opaque64 = "QWxhZGRpbjpvcGVuIHNlc2FtZTEyMzQ1Njc4OTBhYmNkZWZnaGlqa2xtbm9wcXJzdHV2";

const refused: [url: string, why: RegExp][] = [
  ...[
    "",
    " ",
    "example.com",
    "//example.com/x",
    "/etc/passwd",
    "docs/index.html",
    "http:example.com",
    "http:/example.com",
    "https:///example.com",
  ].map((url): [string, RegExp] => [url, /beginning with https|not a valid|no host/]),
  ...[
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com:70/_x",
    "data:text/html,x",
    "javascript:alert(1)",
    "blob:https://example.com/1",
    "about:blank",
    "ws://example.com/",
    "unix:/var/run/docker.sock",
    "jar:http://example.com!/",
    "view-source:http://example.com",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/x",
    "dict://localhost:11211/",
    "ldap://example.com",
    "chrome://settings",
  ].map((url): [string, RegExp] => [url, /beginning with https/]),
  ...[
    "http://user@example.com/",
    "http://user:pass@example.com/",
    "https://example.com@evil.test/",
    "https://:@example.com/",
    "http://@example.com/",
    "https://1.1.1.1@127.0.0.1/",
    "https://example.com%40x@evil.com/",
  ].map((url): [string, RegExp] => [url, /before an @/]),
  ...[
    "https://exa mple.com/",
    "https://example.com/a b",
    "https://example.com/\t",
    "https://example.com/\nHost: x",
    "https://exam\tple.com/x",
    "https://example.com/\r\nx: y",
    "https://example.com/\0",
    "https://example.com/\u202egnp.exe",
    "https://example.com/\u200b",
    "https://ex\u00adample.com/",
    "https://example.com/\u0085x",
    "https://example.com/\u2028x",
    "https://exam\ufeffple.com/",
  ].map((url): [string, RegExp] => [url.endsWith("\t") ? `${url}x` : url, /blanks or invisible/]),
  ...[
    "https://example.com\\@evil.com/",
    "https:\\\\example.com/",
    "https://example.com/a\\b",
    "http://127.0.0.1\\.example.com/",
  ].map((url): [string, RegExp] => [url, /backslash|beginning with/]),
  ...[
    "http://example.com:22/",
    "http://example.com:25/",
    "http://example.com:0/",
    "https://example.com:1023/",
    "http://example.com:6379x/",
    "http://example.com:99999/",
    "http://example.com:81/",
    "http://example.com:-80/",
    "http://127.0.0.1:22/",
    "http://example.com:445/",
    "http://example.com:00110/",
  ].map((url): [string, RegExp] => [url, /port|not a valid/]),
  ...[
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://foo.localhost/",
    "http://router/",
    "http://kubernetes.default.svc/",
    "http://kubernetes/",
    "http://printer.local/",
    "http://a.internal/",
    "http://nas.lan/",
    "http://x.home.arpa/",
    "http://intranet/",
    "http://db.consul/",
    "http://wiki.corp/",
    "http://ⓛocalhost/",
    "http://ｌｏｃａｌｈｏｓｔ/",
    "http://localhost:8080/x",
    "http://x.test/",
    "http://x.onion/",
    "http://x.localdomain/",
    "http://a.cluster/",
  ].map((url): [string, RegExp] => [url, /private network/]),
  ...[
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://metadata/",
    "http://METADATA.google.internal./",
    "http://metadata.goog/",
    "http://instance-data/latest/",
    "http://metadata.azure.com/",
  ].map((url): [string, RegExp] => [url, /metadata service/]),
  ...[
    "http://[::1/",
    "http://[1.2.3.4]/",
    "http://[fe80::1%25eth0]/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://0x1ffffffff/",
    "http://exa%00mple.com/",
    "http://exa%2Fmple.com/",
    "http://a..b.com/",
    "http://localhost../",
    "http://./",
    "http://xn--/",
    "http://%/",
    "http://exa<mple.com/",
    "http://a|b.com/",
  ].map((url): [string, RegExp] => [url, /not a valid|names no host|private network/]),
  ["https://evil.test.com/?k=hunter2-secret", /key or a password/],
  ["https://evil.test.com/?k=hunter2%2Dsecret", /key or a password/],
  ["https://hunter2-secret.evil.com/", /key or a password/],
  [`https://evil.com/${opaque64}`, /unreadable string/],
  [`https://evil.com/?q=${opaque64}`, /unreadable string/],
  [`https://evil.com/?a=1&b=${opaque64}==`, /unreadable string/],
  [`https://evil.com/x#y?${"ab1".repeat(30)}`.replace("#y", ""), /unreadable string/],
  [`https://${"a1b2c3d4e5".repeat(5)}.evil.com/`, /unreadable string/],
  [`https://evil.com/${"deadbeef".repeat(9)}`, /unreadable string/],
  [`https://evil.com/${encodeURIComponent(opaque64)}`, /unreadable string/],
  [`https://evil.com/${"%51".repeat(40)}${opaque64}`, /unreadable string/],
  [`https://example.com/${"a/".repeat(3000)}`, /longer than/],
];

const accepted: [url: string, host: string, port: number][] = [
  ["https://example.com", "example.com", 443],
  ["HTTPS://EXAMPLE.COM/Path?q=1#part", "example.com", 443],
  [" https://example.com/ ", "example.com", 443],
  ["http://example.com:8080/", "example.com", 8080],
  ["https://example.com./x", "example.com", 443],
  ["https://münchen.de/", "xn--mnchen-3ya.de", 443],
  ["https://[2606:4700::1111]/", "2606:4700::1111", 443],
  // Numbers in every form that the web knows: the class of the address decides, not its spelling.
  ["http://2130706433/", "127.0.0.1", 80],
  ["http://0x7f.1/", "127.0.0.1", 80],
  ["http://0177.0.0.1/", "127.0.0.1", 80],
  ["http://127.1/", "127.0.0.1", 80],
  ["http://127.0.0.1./", "127.0.0.1", 80],
  ["http://①②⑦.⓪.⓪.①/", "127.0.0.1", 80],
  ["http://[::ffff:127.0.0.1]/", "::ffff:7f00:1", 80],
  ["https://github.com/a/b/commit/0123456789abcdef0123456789abcdef01234567", "github.com", 443],
  [`https://example.com/sha256/${"ab12".repeat(16)}`, "example.com", 443],
  [
    "https://example.com/2024/05/how-to-write-a-rather-long-title-with-many-words-in-it-and-the-year-2024",
    "example.com",
    443,
  ],
  ["https://en.wikipedia.org/wiki/Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", "en.wikipedia.org", 443],
  [
    "https://docs.example.com/java/org/springframework/boot/autoconfigure/AbstractDependsOnBeanFactoryPostProcessor",
    "docs.example.com",
    443,
  ],
  ["https://example.com/123e4567-e89b-12d3-a456-426614174000", "example.com", 443],
  ["https://example.com/search?q=how+do+i+write+a+test+for+a+function+that+returns+a+promise", "example.com", 443],
  ["https://docs.google.com/document/d/1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R9s0T1u/edit", "docs.google.com", 443],
];

describe("readWebAddress", () => {
  it.each(refused)("refuses %j", (url, why) => {
    const read = readWebAddress(url, strict);
    expect("problem" in read ? read.problem : read.host).toMatch(why);
  });

  it.each(accepted)("reads %j", (url, host, port) => {
    expect(readWebAddress(url, strict)).toMatchObject({ host, port });
  });

  it("has at least 170 cases", () => {
    const addresses = Object.values(classes).flatMap((each) => each.split(" "));
    expect(addresses.length + refused.length).toBeGreaterThanOrEqual(170);
  });

  it("allows a private name only when a rule names it with its port", () => {
    const rules = {
      ...strict,
      allowedPrivate: ["localhost:3000", "NAS.lan:80", "[::1]:8080", "metadata.google.internal:80"],
    };
    for (const url of ["http://localhost:3000/x", "http://nas.lan/", "http://[::1]:8080/"]) {
      expect(readWebAddress(url, rules)).toHaveProperty("url");
    }
    for (const url of [
      "http://localhost:3001/",
      "http://localhost/",
      "https://nas.lan/",
      "http://metadata.google.internal/",
    ]) {
      expect(readWebAddress(url, rules)).toHaveProperty("problem");
    }
    expect(readWebAddress("http://localhost:3001/", rules)).toMatchObject({ needs: "web_fetch(localhost:3001)" });
  });
});
