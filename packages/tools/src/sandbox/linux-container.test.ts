import { expect, it } from "vitest";
import type { ProxyRoute } from "./containment.ts";
import { linuxContainer } from "./linux-container.ts";
import type { ProxyAnswer } from "./proxy/proxy-messages.ts";

const programs = { bwrap: "/usr/bin/bwrap", socat: "/usr/bin/socat" };
const policy = { writable: [], fixed: [], vacant: [], watched: [], links: [], hiddenFolders: [], hiddenFiles: [] };
const own = { path: "/p", temporary: "/p/tmp", nothing: "/p/nothing", note: () => undefined, remove: () => undefined };
const place = { argv: ["true"], cwd: "/", policy, own };

function wayBy(socket: string, isGone: boolean, answer: ProxyAnswer = { refused: [] }): ProxyRoute {
  const proxy = { isGone, ask: async () => answer, end: () => undefined };
  return { proxy, socket, token: "t", socat: programs.socat };
}

it("the container reopens a lost connection to the proxy", async () => {
  const container = linuxContainer({ programs, way: wayBy("/old", true), reopen: async () => wayBy("/new", false) });
  expect(await container.contain(place)).toMatchObject({ argv: expect.arrayContaining(["/new"]) });
});

it("the container runs nothing when reopening fails, and reports why", async () => {
  const reopen = async () => ({ why: "its proxy did not start" });
  const container = linuxContainer({ programs, way: wayBy("/old", true), reopen });
  expect(await container.contain(place)).toEqual({ problem: "its proxy did not start" });
});

it("the container reports refused hosts and a lost connection to the proxy", async () => {
  const refused = { refused: ["deny network-outbound a.test:80 (why)", "deny network-outbound a.test:80 (why)"] };
  const contained = await linuxContainer({ programs, way: wayBy("/s", false, refused), reopen: undefined }).contain(
    place,
  );
  expect("hosts" in contained && (await contained.hosts())).toEqual({ refused: ["a.test:80"] });
  const lost = await linuxContainer({
    programs,
    way: wayBy("/s", false, { problem: "it ended" }),
    reopen: undefined,
  }).contain(place);
  expect("hosts" in lost && (await lost.hosts())).toEqual({ refused: [], lost: "it ended" });
});
