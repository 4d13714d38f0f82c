import { leadsOutOfFolder } from "./elsewhere.ts";
import type { Reach } from "./reach.ts";

const rows: Readonly<Record<string, Reach>> = {
  "pytest py.test": {
    starts:
      "-c --config-file -p --rootdir --confcutdir -o --override-ini --import-mode@ --pyargs --pdbcls --pdb --trace --cov-config --doctest-glob@ --ds --dc --django-configuration -n@ --tx --rsyncdir",
    reaches:
      "--basetemp --junitxml --junit-xml --pastebin --log-file --result-log --report-log --debug --html --json-report-file --csv --cov-report@ --cov-context@ --cache-clear --resultlog --alluredir --base-url --benchmark-storage --benchmark-json --snapshot-dirname --store-durations",
    harmless: "--co --cov --re --cache-show --runxfail --import",
    shortens: true,
    operand: (word) => (word.startsWith("@") ? "starts" : undefined),
    valued: "kmnrW",
    unless: /^-p (?:no:|xdist$|cov$)/,
  },
  // As Python modules.
  "python-unittest": { starts: "-s --start-directory -t --top-level-directory" },
  "python-http.server": { reaches: "-d --directory -b --bind --cgi" },
  "python-venv": { operand: (word) => (leadsOutOfFolder(word) ? "reaches" : undefined) },
  "python-build": { starts: "-C --config-setting", reaches: "-o --outdir" },
  "python-cProfile python-profile": { starts: "-m", reaches: "-o" },
  "coverage python-coverage": { starts: "--rcfile -m --source-pkgs@", reaches: "-o -d --directory --data-file" },
  tsc: {
    words: true,
    anyCase: true,
    starts: "-p -project -plugins -typeRoots -paths -rootDirs",
    unless: /^-(?:p|project)=(?:\.\/?)?(?:tsconfig\.json)?$/i,
    reaches:
      "-outDir -outFile -declarationDir -declarationMap@ -tsBuildInfoFile -generateTrace -generateCpuProfile -rootDir@ -out -mapRoot -sourceRoot -baseUrl -locale@ -init -i@ -d@",
    operand: (word) => (leadsOutOfFolder(word) || word.startsWith("@") ? "starts" : undefined),
  },
  eslint: {
    starts:
      "-c --config --plugin --rulesdir --resolve-plugins-relative-to --parser --parser-options@ -f --format --flag --inspect-config --init --stdin-filename@ --env-info@",
    reaches: "-o --output-file --cache-location --cache-file --suppressions-location --ignore-path@",
    unless:
      /^(?:-f |--format=)(?:stylish|json|json-with-metadata|html|compact|unix|checkstyle|jslint-xml|junit|tap|visualstudio|codeframe|table)$/,
  },
  prettier: {
    starts: "--config --plugin --plugin-search-dir --find-config-path --parser --file-info@ --support-info@",
    reaches: "--cache-location --ignore-path@",
    unless:
      /^--parser=(?:babel|babel-flow|babel-ts|flow|typescript|espree|meriyah|acorn|css|less|scss|json|json5|jsonc|json-stringify|graphql|markdown|mdx|vue|yaml|html|angular|lwc|glimmer)$/,
  },
  biome: { starts: "--config-path --stdin-file-path@", reaches: "--log-path --reporter-file --files@" },
  stylelint: {
    starts: "--config --config-basedir --custom-formatter --custom-syntax -f@ --formatter@ --plugin",
    reaches: "-o --output-file --cache-location",
  },
  "oxlint oxfmt": { starts: "-c --config --tsconfig", reaches: "--ignore-path@ -o" },
  jest: {
    dotted: true,
    unless:
      /^--(?:reporters=(?:default|github-actions|summary)|(?:testEnvironment|test-environment|env)=(?:node|jsdom|jest-environment-(?:node|jsdom)))$/,
    starts:
      "-c --config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testEnvironment --env --testRunner --runner --reporters --coverageReporters@ --resolver --transform --moduleNameMapper --preset --rootDir --roots --projects@ --testResultsProcessor --testSequencer --snapshotSerializers --haste --globals --watchPlugins --filter --dependencyExtractor --modulePaths --moduleDirectories --prettierPath --coverageProvider@ --testEnvironmentOptions",
    reaches: "--outputFile --coverageDirectory --cacheDirectory --notifyMode@",
  },
  vitest: {
    dotted: true,
    unless:
      /^--(?:reporter=(?:default|basic|verbose|dot|json|tap|tap-flat|junit|hanging-process|html|github-actions|tree|agent)|environment=(?:node|jsdom|happy-dom|edge-runtime)|pool=(?:threads|forks|vmThreads|vmForks)|coverage\.provider=(?:v8|istanbul)|coverage\.reporter=[\w-]+)$/,
    starts:
      "-c --config -r --root --dir --reporter --globals@ --environment --globalSetup --setupFiles --snapshotSerializers --alias --pool --runner --poolOptions --execArgv --snapshotEnvironment --workspace --project@ --api --ui@ --browser@ --browser.provider@ --sequence.sequencer --coverage.provider --coverage.reporter --coverage.customProviderModule --configLoader@ --typecheck.checker --typecheck.tsconfig --diff --inspect --inspectBrk --vmMemoryLimit@",
    reaches:
      "--outputFile --coverage.reportsDirectory --mergeReports --attachmentsDir --open --api.host --browser.api.host --experimental@ --host",
  },
  mocha: {
    starts:
      "-r --require --config --package --opts --reporter@ -R@ --ui@ -u@ --file --plugin --import --loader --experimental-loader --node-option -n --spec@ --inspect --inspect-brk",
    reaches: "-O --reporter-option --reporter-options --watch-files@",
  },
  "ava tap": {
    starts:
      "--config --node-arguments --require --import --loader --node-arg --before --after --plugin --test-arg@ --reporter@ -R@",
    reaches: "--output-file -o --output-dir -d",
  },
  "playwright cypress": {
    starts:
      "-c --config --config-file -P@ --project@ --reporter@ --tsconfig --global-timeout@ --ui-host --ui-port --browser@ -b@ --env@ -e@",
    reaches: "--output --output-dir -o --blob@ --reporter-options --record --key --ci-build-id",
    operand: (word) => (/^[a-z]+:\/\//i.test(word) ? "reaches" : undefined),
  },
  "vite webpack rollup esbuild parcel next nuxt astro": {
    starts:
      "-c --config --configPlugin --configLoader --plugin -p@ --env@ --preset --define@ --inject --loader@ --tsconfig --require -r",
    reaches:
      "-o --outDir --outdir --outfile --output --output-path --dir --dist-dir --host --hostname -H --base --public-url --servedir --serve --cacheDir --cache-dir --metafile --open --proxy --target@ --file --entry@ --context --extends --json@",
    harmless: "--node-env",
    passesOn: true,
    operand: (word) => (leadsOutOfFolder(word) ? "starts" : undefined),
  },
  ruff: {
    starts: "--config --isolated@ --extend",
    reaches: "-o --output-file --cache-dir --stdin-filename@ --add-noqa@ --log-file",
    valued: "",
  },
  mypy: {
    starts:
      "--config-file --python-executable --plugin --custom-typeshed-dir --custom-typing-module -p@ --python-path --shadow-file --package-root",
    reaches:
      "--cache-dir --junit-xml --any-exprs-report --cobertura-xml-report --html-report --linecount-report --linecoverage-report --lineprecision-report --txt-report --xml-report --xslt-html-report --xslt-txt-report --install-types --timing-stats --line-checking-stats",
    harmless: "--no --package",
    shortens: true,
  },
  "black isort": {
    shortens: true,
    harmless: "--no --re --s",
    starts: "--config --settings-path --settings-file --sp --settings --src-path --sg",
    reaches: "--stdin-filename@ --target-dir",
  },
  "flake8 pylint pyright": {
    shortens: true,
    harmless: "--no --re --s",
    starts:
      "--config --append-config --rcfile --load-plugins --init-hook --plugin --require-plugins --enable-extensions -p --project --pythonpath --venvpath -v@ --typeshedpath",
    reaches: "--output-file --tee --output --generate-rcfile",
  },
  "clang-format clang-tidy": {
    starts:
      "-load -p --config --config-file -config -config-file --extra-arg -extra-arg --extra-arg-before --vfsoverlay -plugin -style@ --style@",
    reaches: "-export-fixes --export-fixes -store-check-profile --store-check-profile",
    harmless: "--sort-includes",
  },
  "rubocop standardrb": {
    shortens: true,
    harmless: "--no --re --s",
    starts: "-c --config -r --require --plugin -f@ --format@ --server",
    reaches: "-o --out --cache-root --stop-server@",
  },
  "shellcheck hadolint": { starts: "--rcfile -P --source-path --config -c", reaches: "-o@" },
  "gofmt goimports gofumpt": { words: true, reaches: "-cpuprofile -srcdir@" },
  rustfmt: { starts: "--config-path --config", reaches: "--emit@ --print-config" },
  "autopep8 yapf shfmt stylua swiftformat ktlint dprint taplo": { passesOn: true },
};

/** Programs that test, check and format sources. All of them run or rewrite their input. */
export const checkReach: Readonly<Record<string, Reach>> = Object.fromEntries(
  Object.entries(rows).map(([names, row]) => [names, { inside: true, ...row }]),
);
