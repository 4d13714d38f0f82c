import { describe, expect, it } from "vitest";
import { withPaths } from "./path-reads.ts";

const never = new AbortController().signal;

describe("a reading with paths", () => {
  it("has every path as it is, also one that follows from another", async () => {
    const asked: string[] = [];
    const paths = {
      real: async (path: string) => {
        asked.push(path);
        return path.replace("/a", "/b");
      },
      exists: async (path: string) => path === "/b/x",
    };
    const { value } = await withPaths(paths, never, ({ real, exists }) => {
      const folder = real("/a");
      return [folder, real(`${folder}/y`), real("/a"), exists?.(`${folder}/x`), exists?.(`${folder}/z`)];
    });
    expect(value).toEqual(["/b", "/b/y", "/b", true, false]);
    expect(asked.filter((path) => path === "/a")).toHaveLength(1);
  });

  it("does not wait for what is known at once", async () => {
    const waited: string[] = [];
    const paths = {
      realNow: (path: string) => (path.startsWith("/near") ? `/real${path}` : undefined),
      real: async (path: string) => {
        waited.push(path);
        return `/real${path}`;
      },
    };
    const readings: string[][] = [];
    for (const path of ["/near/a", "/far/a"]) {
      const { value } = await withPaths(paths, never, ({ real }) => {
        readings.push([real(path)]);
        return real(path);
      });
      expect(value).toBe(`/real${path}`);
    }
    expect(waited).toEqual(["/far/a"]);
    expect(readings).toEqual([["/real/near/a"], ["/far/a"], ["/real/far/a"]]);
  });

  it("ends at once when it is no longer wanted, whatever it has asked for", async () => {
    const stop = new AbortController();
    let looks = 0;
    const paths = {
      real: async (path: string) => {
        looks += 1;
        stop.abort("stopped");
        return path;
      },
    };
    await withPaths(paths, stop.signal, ({ real }) => Array.from({ length: 5000 }, (_, at) => real(`/w/${at}`)));
    expect(looks).toBeLessThan(100);
  });

  it("gives up where one call names more than can be looked at", async () => {
    const paths = { real: async (path: string) => path };
    const { known } = await withPaths(paths, never, ({ real }) =>
      Array.from({ length: 10_001 }, (_, at) => real(`/${at}`)),
    );
    expect(known.isTooMany).toBe(true);
  });

  it("asks git for each name once, and only when all that it depends on is known", async () => {
    const asked: string[] = [];
    const paths = {
      real: async (path: string) => path.replace("/a", "/b"),
      exists: async (path: string) => path.endsWith("src"),
      git: {
        kindOf: async (folder: string, name: string) => {
          asked.push(`${folder} ${name}`);
          return name === "cafe" ? ("blob" as const) : undefined;
        },
        aliases: async () => ({ byName: { st: "status" }, corrects: false }),
      },
    };
    const { value } = await withPaths(paths, never, ({ real, exists, git }) => {
      const folder = real("/a");
      const names = ["src", "cafe", "f00d", "cafe"].filter((name) => exists?.(`${folder}/${name}`) === false);
      return [...names.map((name) => git?.kindOf(folder, name)), git?.aliases(folder)?.byName.st];
    });
    expect(value).toEqual(["blob", undefined, "blob", "status"]);
    expect(asked).toEqual(["/b cafe", "/b f00d"]);
  });
});
