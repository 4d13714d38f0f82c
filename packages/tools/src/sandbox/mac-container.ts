import { randomBytes } from "node:crypto";
import { shellQuoted } from "@harness/host";
import type { Container } from "./containment.ts";
import { hostsEnd } from "./linux-container.ts";
import type { ProxyProcess } from "./proxy/proxy-process.ts";

const SHELL = "/bin/sh";

/** Contains commands with sandbox-exec, which is part of macOS; the library writes the profile. */
export function macContainer(proxy: ProxyProcess): Container {
  return {
    async contain({ argv, policy, own }) {
      const key = randomBytes(16).toString("hex");
      const command = `TMPDIR=${shellQuoted(own.temporary)} exec ${argv.map(shellQuoted).join(" ")}`;
      const answer = await proxy.ask({
        ask: "wrap",
        command,
        shell: SHELL,
        key,
        writable: [...policy.writable, own.temporary],
        // A missing name is denied like an existing one.
        fixed: [...policy.fixed, ...policy.vacant, ...policy.watched, ...policy.links],
        hidden: [...policy.hiddenFolders, ...policy.hiddenFiles],
      });
      if (!("wrapped" in answer)) return { problem: "problem" in answer ? answer.problem : "it gave no answer" };
      return {
        argv: [SHELL, "-c", answer.wrapped],
        env: { XDG_CACHE_HOME: `${own.temporary}/.cache`, npm_config_cache: `${own.temporary}/.npm` },
        hosts: () => hostsEnd({ proxy }, key),
      };
    },
    end: () => proxy.end(),
  };
}
