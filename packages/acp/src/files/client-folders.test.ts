import { expect, it } from "vitest";
import { ClientFolders } from "./client-folders.ts";

it.each([
  ["/real/project/a.ts", "/link/a.ts"],
  ["/real/project/sub/b.ts", "/sub-link/b.ts"],
  ["/real/project-2/c.ts", "/real/project-2/c.ts"],
  ["/other/d.ts", "/other/d.ts"],
])("%s is %s for the client", (path, name) => {
  const named = { cwd: "/link/", additionalDirectories: ["/sub-link"] };
  const real = { cwd: "/real/project", additionalDirectories: ["/real/project/sub"] };
  const folders = new ClientFolders(named, real);
  expect([folders.nameOf(path), folders.pathOf(name), folders.pathOf(path)]).toEqual([name, path, path]);
});
