import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vendorOf } from "../../test/vendor-of.ts";
import { vendors } from "../vendors/vendors.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { inspectEnv, projectVariables } from "./dotenv.ts";

let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "harness-env-"));
  mkdirSync(join(home, "project", "deep"), { recursive: true });
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function put(folder: string, text: string): string {
  const path = join(home, folder, ".env");
  writeFileSync(path, text);
  return path;
}

const isTrusted = () => true;
const deep = () => join(home, "project", "deep");

/** The variables that a project adds to an environment. */
const project = (text: string, env: Record<string, string> = {}) => {
  const path = put("project", text);
  return { ...inspectEnv(deep(), env, { home, configFolder: join(home, "config"), isTrusted }), path };
};

describe("the nearest .env file of a project", () => {
  it("is the only one that is read, and never overrides the environment", () => {
    mkdirSync(join(home, "outer/inner"), { recursive: true });
    put("outer", "VLLM_API_KEY=far");
    const path = put("outer/inner", "OPENROUTER_API_KEY=near\nOPENAI_API_KEY=file");
    const before = { OPENAI_API_KEY: "env", EMPTY: "" };
    const loaded = inspectEnv(join(home, "outer/inner"), before, { home, isTrusted });
    expect(loaded).toEqual({
      env: { OPENAI_API_KEY: "env", EMPTY: "", OPENROUTER_API_KEY: "near" },
      paths: [path],
      problems: [],
    });
    expect(before).toEqual({ OPENAI_API_KEY: "env", EMPTY: "" });
    expect(process.env.OPENROUTER_API_KEY).not.toBe("near");
  });

  it("is not even opened while the folder is not trusted", () => {
    const path = put("project", "OPENAI_API_KEY=theirs\nnonsense\n");
    put(".", "OPENROUTER_API_KEY=mine");
    const asked: string[] = [];
    const isTrusted = (each: string) => asked.push(each) < 0;
    const expected = {
      env: { OPENROUTER_API_KEY: "mine" },
      paths: [join(home, ".env")],
      problems: [],
      untrusted: path,
    };
    expect(inspectEnv(deep(), {}, { home, isTrusted })).toEqual(expected);
    expect(inspectEnv(deep(), {}, { home })).toEqual(expected);
    expect(asked).toEqual([path]);
  });

  it("is searched for no further up than home", () => {
    put(".", "OPENAI_API_KEY=1");
    expect(inspectEnv(deep(), {}, { home: join(home, "project"), isTrusted }).env).toEqual({});
    mkdirSync(join(home, "elsewhere"));
    expect(inspectEnv(deep(), {}, { home: join(home, "elsewhere"), isTrusted }).env).toEqual({ OPENAI_API_KEY: "1" });
  });

  it("is ignored when it is a folder or a pipe, or its folder is missing", () => {
    mkdirSync(join(home, "project", ".env"));
    execFileSync("mkfifo", [join(deep(), ".env")]);
    put(".", "A=1");
    expect(inspectEnv(join(deep(), "gone"), {}, { home, isTrusted })).toMatchObject({ env: { A: "1" }, problems: [] });
  });

  it("is reported with the lines that cannot be parsed, without their content", () => {
    const { env, problems } = project("OPENAI_API_KEY=1\nsecret stuff\n");
    expect(env).toEqual({ OPENAI_API_KEY: "1" });
    expect(problems).toEqual([expect.stringContaining("cannot read line 2")]);
    expect(problems[0]).not.toContain("secret");
  });

  it.skipIf(process.getuid?.() === 0)("is reported when it cannot be read", () => {
    const path = put("project", "A=1");
    chmodSync(path, 0);
    expect(inspectEnv(deep(), {}, { home, isTrusted }).problems).toEqual([`${path} could not be read (EACCES).`]);
  });

  it("is not read when it is far too large", () => {
    const { env, problems } = project(`OPENAI_API_KEY=${"x".repeat(1024 * 1024)}`);
    expect({ env, problems }).toEqual({ env: {}, problems: [expect.stringContaining("1 MB")] });
  });

  it("adds keys, but no variables for other programs", () => {
    const { env, problems } = project("DATABASE_URL=x\nPATH=/evil\nNODE_OPTIONS=y\nOPENROUTER_API_KEY=k");
    expect({ env, problems }).toEqual({ env: { OPENROUTER_API_KEY: "k" }, problems: [] });
  });

  it.each([
    "OPENAI_BASE_URL",
    "OPENAI_API_URL",
    "ANTHROPIC_API_URL",
    "OPENROUTER_BASE_URL",
    "OLLAMA_HOST",
    "OPENAI_ORG_ID",
    "HARNESS_PROVIDER",
    "HARNESS_MODEL",
    "HARNESS_PERMISSION_MODE",
  ])("cannot choose the server or the account: %s", (name) => {
    const { env, path, problems } = project(`${name}=http://127.0.0.1:8000\nOPENAI_API_KEY=theirs`, {
      OPENROUTER_API_KEY: "sk-mine",
    });
    expect(env).toEqual({ OPENROUTER_API_KEY: "sk-mine", OPENAI_API_KEY: "theirs" });
    expect(problems).toEqual([
      `${path}: ${name} was not used: a project's .env file may contain keys, but not choose the provider or its address. ` +
        `Set it in the environment or in ${join(home, "config", ".env")}.`,
    ]);
  });

  it("leaves the person's own addresses in other variables where ours are read", () => {
    const home = () => ({ home: "/nowhere" });
    const at = (env: Record<string, string>) => inspectEnv("/nowhere", env, home()).env;
    expect(at({ OPENAI_API_URL: "http://a/v1/chat/completions" }).OPENAI_BASE_URL).toBe("http://a/v1/chat/completions");
    expect(at({ ANTHROPIC_API_URL: "http://a/v1/messages" }).ANTHROPIC_BASE_URL).toBe("http://a/v1/messages");
    expect(at({ OPENAI_API_URL: "http://a", OPENAI_BASE_URL: "http://b" }).OPENAI_BASE_URL).toBe("http://b");
    expect(at({ OPENAI_API_URL: " " })).not.toHaveProperty("OPENAI_BASE_URL");
  });

  it("is reported once, and not for values that the environment already has", () => {
    const { env, problems } = project("OPENAI_BASE_URL=http://a\nHARNESS_MODEL=m\nVLLM_URL=\nOLLAMA_HOST=x", {
      OLLAMA_HOST: "y",
    });
    expect(env).toEqual({ OLLAMA_HOST: "y" });
    expect(problems).toEqual([expect.stringContaining("OPENAI_BASE_URL, HARNESS_MODEL were not used")]);
  });

  it("provides a key from any of a vendor's variables, unless the environment has one", () => {
    expect(project("GOOGLE_API_KEY=theirs").env).toEqual({ GOOGLE_API_KEY: "theirs" });
    const mine = { GOOGLE_API_KEY: "mine" };
    expect(project("GEMINI_API_KEY=theirs", mine).env).toEqual(mine);
  });

  it("cannot configure a login", () => {
    const { env, problems } = project(
      "HARNESS_CLAUDE_TOKEN_URL=http://evil\nHARNESS_CHATGPT_CLIENT_ID=x\nCHATGPT_ACCOUNT_ID=y",
    );
    expect(env).toEqual({});
    expect(problems).toEqual([
      expect.stringContaining("HARNESS_CLAUDE_TOKEN_URL, HARNESS_CHATGPT_CLIENT_ID, CHATGPT_ACCOUNT_ID were not used"),
    ]);
  });

  it("cannot set the client identity", () => {
    const { env, problems } = project("CHATGPT_ACCESS_TOKEN=theirs\nCLAUDE_ACCESS_TOKEN=theirs");
    expect(env).toEqual({});
    expect(problems).toEqual([expect.stringContaining("CHATGPT_ACCESS_TOKEN, CLAUDE_ACCESS_TOKEN were not used")]);
  });

  it("provides keys for vendors of the person's own files, when these are named", () => {
    const mine = {
      ...(vendorOf("groq") ?? vendors[0]),
      id: "mine",
      keyEnv: "MINE_KEY",
      baseUrlEnv: "MINE_URL",
    } as Vendor;
    put("project", "MINE_KEY=k\nGROQ_API_KEY=g");
    expect(inspectEnv(deep(), {}, { home, isTrusted, vendors: [...vendors, mine] }).env).toEqual({
      MINE_KEY: "k",
      GROQ_API_KEY: "g",
    });
    expect(inspectEnv(deep(), {}, { home, isTrusted }).env).toEqual({ GROQ_API_KEY: "g" });
  });

  it("provides a key for the vendor's usual address only", () => {
    const address = { OPENAI_BASE_URL: "http://127.0.0.1:8000/v1" };
    const { env, path, problems } = project("OPENAI_API_KEY=sk-theirs", address);
    expect(env).toEqual(address);
    expect(problems).toEqual([expect.stringContaining(`${path}: OPENAI_API_KEY was not used`)]);
    expect(problems[0]).not.toContain("sk-theirs");
    const usual = { OPENAI_BASE_URL: "https://api.openai.com/v1/" };
    expect(project("OPENAI_API_KEY=k", usual).env).toEqual({ ...usual, OPENAI_API_KEY: "k" });
  });
});

describe("the person's own .env files", () => {
  it("apply in full everywhere, below the environment and above a project", () => {
    mkdirSync(join(home, "config"));
    put("config", "HARNESS_MODEL=config\nOPENAI_BASE_URL=https://gateway.example/v1");
    put(".", "HARNESS_MODEL=home\nHARNESS_PROVIDER=home\nOPENAI_API_KEY=home");
    put("project", "OPENAI_API_KEY=project\nOPENROUTER_API_KEY=project\nHARNESS_PROVIDER=project");
    const expected = {
      HARNESS_PROVIDER: "env",
      HARNESS_MODEL: "config",
      OPENAI_BASE_URL: "https://gateway.example/v1",
      OPENAI_API_KEY: "home",
    };
    const env = { HARNESS_PROVIDER: "env" };
    const loaded = inspectEnv(deep(), env, { home, configFolder: join(home, "config"), isTrusted });
    expect(loaded).toEqual({
      env: { ...expected, OPENROUTER_API_KEY: "project" },
      paths: [join(home, "config/.env"), join(home, ".env"), join(home, "project/.env")],
      problems: [],
    });
    expect(inspectEnv("/", env, { home, configFolder: join(home, "config") }).env).toEqual(expected);
    expect(inspectEnv(home, env, { home, configFolder: join(home, "config") }).env).toEqual(expected);
  });
});

it("the review of a project's .env lists its keys and its refused variables, and none of the person's own", () => {
  const text = [
    "DATABASE_URL=postgres://x",
    "PORT=3000",
    "GROQ_API_KEY=first",
    "OPENAI_BASE_URL=http://elsewhere.example",
    "HARNESS_MODEL=m",
    "MISTRAL_API_KEY=",
    "export GROQ_API_KEY='last'",
  ].join("\n");
  expect(projectVariables(text)).toEqual([
    ["GROQ_API_KEY", "last"],
    ["OPENAI_BASE_URL", "http://elsewhere.example"],
    ["HARNESS_MODEL", "m"],
  ]);
});
