import { chooseProxy, type Environment } from "@harness/host";

/** The addresses of the user's own proxies, through which the sandbox's proxy reaches hosts. */
export type ParentProxies = { http?: string; https?: string; noProxy?: string };

/** As the environment names them. The library does not support SOCKS and would connect directly instead. */
export function parentProxies(env: Environment): ParentProxies | { problem: string } {
  const parents: ParentProxies = {};
  const { no_proxy: _small, NO_PROXY: _large, ...named } = env;
  for (const scheme of ["http", "https"] as const) {
    const choice = chooseProxy(new URL(`${scheme}://any.invalid`), named);
    if (choice === "direct") continue;
    if ("problem" in choice) return { problem: choice.problem.replace(/\.$/, "") };
    if (choice.kind === "socks") {
      return {
        problem: `${choice.variable} names a SOCKS proxy, ${choice.shown}, and only HTTP proxies are used here`,
      };
    }
    parents[scheme] = choice.url.href;
  }
  const excepted = [env.no_proxy, env.NO_PROXY].find((value) => (value ?? "").trim() !== "");
  // The library does not accept blanks between them.
  return excepted === undefined
    ? parents
    : {
        ...parents,
        noProxy: excepted
          .trim()
          .split(/[\s,]+/)
          .join(","),
      };
}
