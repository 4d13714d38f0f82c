/** How many words say what a command does: `git push`, `npm run build`. The longest row that fits counts. */
const rows: ReadonlyMap<string, number> = new Map(
  [
    "2 git npm pnpm yarn bun cargo go make gmake just task docker podman docker-compose kubectl terraform tofu helm pip pip3 uv poetry pdm hatch rye dotnet mvn mvnw gradle gradlew rake bundle rails composer systemctl brew apt apt-get dnf yum pacman apk rustup turbo nx lerna swift zig mix flutter dart gem conda mamba ng vue next nuxt vite astro expo firebase vercel netlify fly flyctl heroku wrangler prisma drizzle-kit storybook playwright cypress biome ruff black-box alembic flask django-admin cmake ninja meson bazel buck2 pants sbt stack cabal opam dune nimble shards crystal tox nox pre-commit jj hg svn act goreleaser golangci-lint buf",
    "3 git stash|git remote|git worktree|git submodule|git bisect|git notes|git lfs|git flow|npm run|npm run-script|pnpm run|yarn run|bun run|yarn workspace|npm pkg|npm cache|npm config|docker compose|podman compose|docker image|docker container|docker volume|docker network|docker buildx|docker system|kubectl config|kubectl rollout|uv pip|uv tool|uv run|poetry run|pdm run|hatch run|bundle exec|pipenv run|cargo +nightly|go mod|go tool|go work|dotnet tool|rustup component|rustup target|gh pr|gh issue|gh repo|gh run|gh release|gh workflow|gh auth|gh label|glab mr|glab issue|nx run|rails db|conda env|terraform state|helm repo|apt-mark|swift package|zig build|mix ecto|prisma migrate|aws|gcloud|az|deno task",
  ].flatMap((line) => {
    const [count = "", ...rest] = line.split(" ");
    const names = Number(count) === 2 ? rest : rest.join(" ").split("|");
    return names.map((name): [string, number] => [name, Number(count)]);
  }),
);

/** The words behind the program that belong to its name count as well: from `git stash` on, `git stash pop`. */
export function commandArity(words: readonly string[]): number {
  for (const length of [2, 1]) {
    const arity = rows.get(words.slice(0, length).join(" "));
    if (arity !== undefined && words.length >= length) return arity;
  }
  return words[0] === "gh" || words[0] === "glab" ? 3 : 1;
}

/** Has the program commands of its own, so that its words are none of other programs? */
export function hasSubcommands(program: string): boolean {
  return commandArity([program]) > 1;
}
