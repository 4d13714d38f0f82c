import { withoutGitOptions } from "./git/words.ts";
import { programOf } from "./programs.ts";

const anyCall = /^/;
const installing =
  /(?:^| )(?:install|reinstall|add|remove|rm|del|uninstall|purge|autoremove|update|upgrade|(?:dist|full)-upgrade|tap|untap|link|unlink|services)(?: |$)/;
const containersBut =
  /^(?:-\S+ )*(?:compose )?(?!(?:compose|ps|images|image ls|logs|inspect|version|info|stats|top|port|history|diff|events|config|search|ls|container ls|volume ls|network ls)(?: |$))[a-z]|^compose -.* (?:up|down|run|exec|build|create|rm|start|stop|restart|kill|pull|push)(?: |$)/;
const cloudBut = /^(?!.*\b(?:ls|list|describe|get|show|help|version|wait)\b)[a-z]/;
const deploying = /(?:^| )(?:deploy|publish|release|destroy|delete|rollback|promote)(?: |$)/;
const infrastructure =
  /^(?:-\S+ )*(?:apply|up|destroy|import|refresh|taint|untaint|force-unlock|state (?:mv|rm|push))(?: |$)/;

/**
 * Calls that change what no checkpoint of the workspace has: the system, installed programs, services, processes, other
 * machines. By program: the words after its name. Too few rather than too many, for a hint that is read often.
 */
const calls: Readonly<Record<string, RegExp>> = {
  "sudo doas su pkexec": anyCall,
  "mkfs mke2fs mkswap shutdown reboot poweroff halt fdisk sfdisk gdisk parted wipefs blkdiscard": anyCall,
  "mount umount passwd chsh useradd usermod userdel groupadd killall pkill": anyCall,
  systemctl: /^(?:-\S+ )*(?!(?:status|is-\S+|list-\S+|show|cat|help)(?: |$))[a-z]/,
  service: /^\S+ (?!status)/,
  launchctl: /^(?:load|unload|bootstrap|bootout|kickstart|enable|disable|start|stop|remove)(?: |$)/,
  crontab: /^(?!.*-l(?: |$))/,
  "apt apt-get aptitude dnf yum zypper apk brew port snap flatpak choco winget scoop gem pipx": installing,
  "pip pip3": /^(?:-\S+ )*(?:install|uninstall)(?: |$)/,
  "python python3": /^-m pipx? (?:un)?install(?: |$)/,
  "dpkg rpm": /^-(?:[iIrPUeF]|-(?:install|remove|purge|upgrade|erase))/,
  pacman: /^-(?:S(?![a-z]*[sigp])|R|U)/,
  uv: /^(?:pip (?:install|uninstall|sync)|tool (?:install|uninstall|upgrade)|python (?:install|uninstall))(?: |$)/,
  "conda mamba": /^(?:install|remove|uninstall|update|upgrade|create|env (?:create|remove|update))(?: |$)/,
  "npm pnpm yarn bun":
    /^(?:i|install|add|rm|remove|un|uninstall|up|update|link)(?: .*)? (?:-g|--global)(?: |$)|^(?:-g|--global) (?!ls|list|root|bin)|^global (?:add|remove|upgrade)(?: |$)/,
  cargo: /^(?:install|uninstall|yank)(?: |$)/,
  go: /^install(?: |$)/,
  rustup:
    /^(?:install|uninstall|update|default|(?:toolchain|component|target) (?:add|install|remove|uninstall))(?: |$)/,
  "docker podman nerdctl docker-compose": containersBut,
  "kubectl oc":
    /^(?:-\S+ )*(?!(?:get|describe|logs|explain|version|cluster-info|top|api-resources|api-versions|diff|auth|config (?:view|current-context|get-contexts))(?: |$))[a-z]/,
  helm: /^(?:install|upgrade|uninstall|delete|rollback)(?: |$)/,
  "terraform tofu pulumi": infrastructure,
  "aws gcloud az": cloudBut,
  "vercel netlify fly flyctl heroku wrangler firebase": deploying,
  "gh glab":
    /^[a-z-]+ (?:create|delete|edit|close|reopen|merge|comment|note|review|ready|lock|unlock|transfer|rename|archive|set|run|cancel|rerun|upload|fork|sync)(?: |$)|^api .*(?:-X|--method|-f|-F|--(?:raw-)?field|--input)/,
  git: /^(?:push|send-pack|http-push|send-email|svn dcommit)(?: |$)/,
  "hg jj": /^(?:git )?push(?: |$)/,
};

const byProgram: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(calls).flatMap(([names, words]) => names.split(" ").map((name) => [name, words] as const)),
);

/** True if a command is known to change something beyond the files of its folder. */
export function changesBeyondFiles([program = "", ...args]: readonly string[]): boolean {
  const own = program === "git" ? withoutGitOptions(args) : args;
  if (byProgram.get(program)?.test(own.join(" "))) return true;
  const { sends } = programOf(program);
  const operands = args.filter((word) => !word.startsWith("-"));
  return (typeof sends === "function" ? sends(args, operands) : sends) !== undefined;
}
