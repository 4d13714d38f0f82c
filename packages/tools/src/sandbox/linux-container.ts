import { randomBytes } from "node:crypto";
import { bubblewrapArgs } from "./bubblewrap.ts";
import type { Container, HostsEnd, LinuxContainmentDeps, ProxyRoute } from "./containment.ts";

const PORT = 3128;
/** Program caches go to the sandbox's own temporary folder. */
const OWN_PLACES = { TMPDIR: "/tmp", XDG_CACHE_HOME: "/tmp/.cache", npm_config_cache: "/tmp/.npm" };

/**
 * `$1` = socat, `$2` = the proxy's socket, then the command. Forwards a port to the socket, and waits for it to listen
 * for at most a second (its line in /proc/net/tcp has the port in hexadecimal and state 0A).
 */
const RELAY = `
"$1" TCP4-LISTEN:${PORT},bind=127.0.0.1,fork,reuseaddr,backlog=1024 UNIX-CONNECT:"$2" >/dev/null 2>&1 </dev/null &
shift 2
tries=0
while [ $tries -lt 100 ] && ! grep -q ':${PORT.toString(16).toUpperCase().padStart(4, "0")} .* 0A ' /proc/net/tcp
do tries=$((tries + 1)); sleep 0.01; done
unset tries
exec "$@"`;

/** Contains commands with bubblewrap; hosts are reached through a proxy outside, or not at all. */
export function linuxContainer({ programs, way: first, reopen }: LinuxContainmentDeps): Container {
  let current = first;
  return {
    async contain({ argv, cwd, policy, own }) {
      if (current?.proxy.isGone && reopen) {
        const next = await reopen();
        if ("why" in next) return { problem: next.why };
        current = next;
      }
      const way = current;
      const place = { temporary: own.temporary, nothing: own.nothing, cwd, policy };
      const args = bubblewrapArgs(way ? { ...place, socket: way.socket } : place);
      if (!way) {
        return {
          argv: [programs.bwrap, ...args, ...argv],
          env: OWN_PLACES,
          hosts: () => Promise.resolve({ refused: [] }),
        };
      }
      const key = randomBytes(16).toString("hex");
      return {
        argv: [programs.bwrap, ...args, "/bin/sh", "-c", RELAY, "sh", way.socat, way.socket, ...argv],
        env: { ...OWN_PLACES, ...proxyVariables(way, key) },
        hosts: () => hostsEnd(way, key),
      };
    },
    end: () => current?.proxy.end(),
  };
}

/** The proxy identifies the command by the user name. */
function proxyVariables({ token }: ProxyRoute, key: string): Record<string, string> {
  const user = encodeURIComponent(`srt.${Buffer.from(key).toString("base64")}`);
  const url = `http://${user}:${token}@127.0.0.1:${PORT}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  const local = "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    NO_PROXY: local,
    no_proxy: local,
    // Node's own fetch uses no proxy by default.
    NODE_USE_ENV_PROXY: "1",
  };
}

/** The proxy logs lines such as `deny network-outbound host:port (why)`. */
export async function hostsEnd({ proxy }: Pick<ProxyRoute, "proxy">, key: string): Promise<HostsEnd> {
  const answer = await proxy.ask({ ask: "refused", key });
  if ("problem" in answer) return { refused: [], lost: answer.problem };
  const lines = "refused" in answer ? answer.refused : [];
  const hosts = lines.map((line) => /network-outbound (\S+)/.exec(line)?.[1]);
  return { refused: [...new Set(hosts.filter((host) => host !== undefined))] };
}
