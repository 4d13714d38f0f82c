import { expect, it } from "vitest";
import { chunkFile } from "./chunk-file.ts";
import { GrammarSet } from "./grammar-set.ts";

const grammars = new GrammarSet();
/** Too long to be joined with its neighbours. */
const filler = (mark: string) => `${mark} ${"words ".repeat(45)}`;
const slash = filler("//");
const hash = filler("#");

/** A source, and what it defines: kind, names, the last signature and the comment. */
const rows: [path: string, source: string, expected: string[]][] = [
  [
    "a.ts",
    `import a from "b";\n\n/** Adds numbers. */\nexport async function add(a: number): Promise<number> {\n  ${slash}\n}\n
export const later = (a: string) => {\n  ${slash}\n};\n
@Injectable()\nexport class Store extends Base {\n  ${slash}\n  get(key: string) {}\n}\n
export interface Shape {\n  ${slash}\n}\n
app.use = function use(fn) {\n  ${slash}\n};\n`,
    [
      "function add | async function add(a: number): Promise<number> | Adds numbers.",
      "function later | later = (a: string) |",
      "class Store,get | class Store extends Base |",
      "type Shape | interface Shape |",
      "function use | app.use = function use(fn) |",
    ],
  ],
  [
    "a.py",
    `import os\n\n@cache\ndef load(path):\n    """Loads it."""\n    ${hash}\n    pass\n
class Spider(Base):\n    """Crawls."""\n    ${hash}\n    async def crawl(self):\n        pass\n`,
    ["function load | def load(path) | Loads it.", "class Spider,crawl | class Spider(Base) | Crawls."],
  ],
  [
    "a.go",
    `package a\n\n// Run starts it.\nfunc (s *Server[T]) Run(port int) error {\n\t${slash}\n}\n
type Store interface {\n\t${slash}\n}\n\nfunc Map[T any](a T) {\n\t${slash}\n}\n`,
    [
      "method Run | func (s *Server[T]) Run(port int) error | Run starts it.",
      "type Store | Store interface |",
      "function Map | func Map[T any](a T) |",
    ],
  ],
  [
    "a.rs",
    `use a::b;\n\n/// A point.\n#[derive(Debug)]\npub struct Point<T> {\n    ${slash}\n    x: T,\n}\n
impl<T> Show for Point<T> {\n    ${slash}\n    fn show(&self) {}\n}\n\nmacro_rules! twice {\n    ${slash}\n    () => {};\n}\n`,
    [
      "type Point | pub struct Point<T> | A point.",
      "class Point,show | impl<T> Show for Point<T> |",
      "function twice | macro_rules! twice |",
    ],
  ],
  [
    "A.java",
    `package a;\n\n/** A shop. */\n@Deprecated\npublic class Shop implements Place {\n  ${slash}\n  public Shop() {}\n  int sell(String a) { return 1; }\n}\n`,
    ["class Shop,sell | @Deprecated public class Shop implements Place | A shop."],
  ],
  [
    "a.c",
    `#include <a.h>\n\n/* Sends it. */\nstatic char *send_all(int fd) {\n  ${slash}\n}\n\nstruct node {\n  ${slash}\n  int a;\n};\n
#ifdef X\nint other(void) {\n  ${slash}\n}\n#endif\n`,
    [
      "function send_all | static char *send_all(int fd) | Sends it.",
      "type node | struct node |",
      "function other | int other(void) |",
    ],
  ],
  [
    "a.cpp",
    `namespace fmt {\ntemplate <typename T>\nclass Buffer : Base {\n  ${slash}\n  void grow() {}\n};\n\nvoid Buffer::grow(int a) {\n  ${slash}\n}\n}\n`,
    ["class fmt,Buffer,grow | namespace fmt |"],
  ],
  [
    "a.cs",
    `namespace A.B;\n\n/// <summary>Maps.</summary>\n[Serializable]\npublic class Mapper : IMapper\n{\n    ${slash}\n    public int Size { get; set; }\n    public void Map(string a) { }\n}\n`,
    ["class Mapper,Size,Map | [Serializable] public class Mapper : IMapper | <summary>Maps.</summary>"],
  ],
  [
    "a.rb",
    `require "a"\n\n# An app.\nclass App < Base\n  ${hash}\n  def call!(env)\n  end\n  def self.make = new\nend\n`,
    ["class App,call!,make | class App < Base | An app."],
  ],
  [
    "a.php",
    `<?php\nnamespace A;\n\n/** A client. */\nfinal class Client extends Base\n{\n    ${slash}\n    public function send($a) {}\n}\n\nfunction helper($a)\n{\n    ${slash}\n}\n`,
    ["class Client,send | final class Client extends Base | A client.", "function helper | function helper($a) |"],
  ],
  [
    "a.swift",
    `import A\n\n/// A session.\npublic final class Session: Base {\n    ${slash}\n    init(a: Int) {}\n    func request(_ a: Int) -> Bool { true }\n}\n
extension Session {\n    ${slash}\n    func stop() {}\n}\n`,
    [
      "class Session,init,request | public final class Session: Base | A session.",
      "class Session,stop | extension Session |",
    ],
  ],
  [
    "a.sh",
    `#!/bin/sh\nset -e\n\n# Builds it.\nbuild() {\n  ${hash}\n  make\n}\n`,
    ["function build | build() | Builds it."],
  ],
];

it.each(rows)("finds the definitions of %s", async (path, text, expected) => {
  const { chunks, isFallback } = await chunkFile({ path, text }, grammars);
  expect(isFallback).toBe(false);
  const defined = chunks.filter(({ names }) => names.length > 0);
  expect(
    defined.map(({ kind, names, signatures, comment }) =>
      `${kind} ${names} | ${signatures.at(-1)} | ${comment.replaceAll("\n", " ")}`.trim(),
    ),
  ).toEqual(expected);
});

it("splits a large class in its methods, with the class in front of their signatures", async () => {
  const method = (name: string) =>
    `  /** Does ${name}. */\n  ${name}() {\n    ${slash}\n    ${slash}\n    ${slash}\n  }\n`;
  const text = `/** Header of the file. */\n\nexport class Large {\n  a = 1;\n${method("one")}\n${method("two")}\n${method("three")}}\n`;
  const { header, chunks } = await chunkFile({ path: "a.ts", text }, grammars);
  expect(header).toBe("Header of the file.");
  expect(chunks.map(({ kind, names, signatures }) => [kind, names.join(), signatures.join(" > ")])).toEqual([
    ["class", "Large", "class Large"],
    ["method", "one", "class Large > one()"],
    ["method", "two", "class Large > two()"],
    ["method", "three", "class Large > three()"],
  ]);
  expect(chunks.at(-1)).toMatchObject({ comment: "Does three.", startLine: 19, endLine: 25 });
});
