import { expect, it } from "vitest";
import { bubblewrapArgs } from "./bubblewrap.ts";

const none = { writable: [], fixed: [], vacant: [], watched: [], links: [], hiddenFolders: [], hiddenFiles: [] };
const place = { temporary: "/p/tmp", nothing: "/p/nothing", cwd: "/w" };
const mountsOf = (args: readonly string[]) => {
  const after = args.slice(args.indexOf("/proc") + 1).join(" ");
  return after.split(/ (?=--)/).filter((each) => !/proc\/(?!cwd)/.test(each));
};

it("bubblewrapArgs mount a folder before its content, and protect the path to fixed places", () => {
  const policy = {
    ...none,
    writable: ["/home/u/.config/x/w"],
    fixed: ["/home/u/.config/x/w/a/.git/config"],
    hiddenFolders: ["/home/u/.config/x"],
    hiddenFiles: ["/home/u/.config/x/w/.env"],
  };
  const mounts = mountsOf(bubblewrapArgs({ ...place, policy }));
  const order = [
    "--tmpfs /home/u/.config/x",
    "--bind /home/u/.config/x/w /home/u/.config/x/w",
    "--ro-bind /p/nothing /home/u/.config/x/w/.env",
    "--bind /home/u/.config/x/w/a/.git /home/u/.config/x/w/a/.git",
    "--ro-bind /home/u/.config/x/w/a/.git/config /home/u/.config/x/w/a/.git/config",
    "--remount-ro /home/u/.config/x",
  ];
  const places = order.map((each) => mounts.indexOf(each));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it("bubblewrapArgs block kernel settings, other processes, the network and more privileges", () => {
  const text = bubblewrapArgs({ ...place, policy: none }).join(" ");
  for (const words of [
    "--unshare-pid",
    "--unshare-net",
    "--disable-userns",
    "--cap-drop ALL",
    "--new-session",
    "--die-with-parent",
    "--ro-bind / /",
    "--proc /proc --ro-bind-try /proc/sys /proc/sys",
    "--tmpfs /run",
  ]) {
    expect(text).toContain(words);
  }
  expect(text).toMatch(/--chdir \/w --$/);
});

it("bubblewrapArgs keep a fixed folder read-only when it contains another fixed place", () => {
  const policy = { ...none, writable: ["/w"], fixed: ["/w/.vscode", "/w/.vscode/x/.npmrc"] };
  expect(mountsOf(bubblewrapArgs({ ...place, policy }))).toContain("--ro-bind /w/.vscode /w/.vscode");
});
