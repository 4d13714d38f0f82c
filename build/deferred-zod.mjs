// zod, with schemas that are built on first use: of some 2,500, an idle server has used 300, and a window two. The
// bundle replaces zod with this in our own packages. Until then a schema is kept as a recipe; code that needs more than
// a derived schema or the fields of an object gets zod's own.
import * as zod from "zod";

const PLAN = Symbol("plan");

/** Methods that derive a schema from another. Everything else is handled by zod's own schema. */
const derivations = new Set(
  ["array", "catch", "default", "describe", "extend", "gte", "int", "lte", "max", "min", "nonnegative"].concat([
    "nullable",
    "nullish",
    "omit",
    "optional",
    "partial",
    "pick",
    "pipe",
    "positive",
    "readonly",
    "refine",
    "regex",
    "superRefine",
    "transform",
  ]),
);

/** How a schema is made: by a call of zod, or of a method of `from`. */
class Plan {
  constructor(make, args, from) {
    this.make = make;
    this.args = args;
    this.from = from;
    this.schema = undefined;
  }

  get built() {
    if (this.schema) return this.schema;
    const { make, from } = this;
    const args = this.args.map(builtIn);
    this.schema = from ? from.built[make](...args) : make(...args);
    return this.schema;
  }

  /** The fields of an object, to derive a larger one; undefined if only zod knows. */
  get fields() {
    const { make, args, from } = this;
    if (!from) return objects.has(make) ? args[0] : undefined;
    if (make === "describe") return from.fields;
    if (make !== "extend") return undefined;
    const inherited = from.fields;
    return inherited && Object.defineProperties({}, { ...descriptors(inherited), ...descriptors(args[0]) });
  }
}

const descriptors = Object.getOwnPropertyDescriptors;
const isPlain = (value) => Object.getPrototypeOf(value) === Object.prototype;

/** Converts an argument that is a schema, or contains some, into zod's own. */
function builtIn(argument) {
  if (typeof argument !== "object" || argument === null) return argument;
  const plan = argument[PLAN];
  if (plan) return plan.built;
  if (Array.isArray(argument)) return argument.some((item) => item?.[PLAN]) ? argument.map(builtIn) : argument;
  if (!isPlain(argument)) return argument;
  const fields = Object.entries(descriptors(argument));
  if (!fields.some(([, { get, value }]) => get || value?.[PLAN])) return argument;
  return Object.defineProperties({}, Object.fromEntries(fields.map(([name, field]) => [name, builtField(field)])));
}

/** A field that refers to its own schema is a getter, which zod evaluates on demand. */
function builtField(field) {
  if (!field.get) return { ...field, value: builtIn(field.value) };
  return { ...field, get: () => builtIn(field.get()) };
}

const handler = {
  get({ plan }, name) {
    if (name === PLAN) return plan;
    if (derivations.has(name)) return (...args) => schemaOf(new Plan(name, args, plan));
    return (name === "shape" ? plan.fields : undefined) ?? plan.built[name];
  },
  set: ({ plan }, name, value) => Reflect.set(plan.built, name, value),
  has: ({ plan }, name) => name in plan.built,
  getPrototypeOf: ({ plan }) => Object.getPrototypeOf(plan.built),
};

const schemaOf = (plan) => new Proxy({ plan }, handler);

const deferred =
  (make) =>
  (...args) =>
    schemaOf(new Plan(make, args, undefined));

const direct =
  (run) =>
  (...args) =>
    run(...args.map(builtIn));

export { NEVER, prettifyError, ZodArray, ZodBoolean, ZodEnum, ZodNullable, ZodNumber } from "zod";

export const array = deferred(zod.array);
export const boolean = deferred(zod.boolean);
export const coerce = { number: deferred(zod.coerce.number) };
export const discriminatedUnion = deferred(zod.discriminatedUnion);
export const int = deferred(zod.int);
export const intersection = deferred(zod.intersection);
export const literal = deferred(zod.literal);
export const looseObject = deferred(zod.looseObject);
export const number = deferred(zod.number);
export const object = deferred(zod.object);
export const preprocess = deferred(zod.preprocess);
export const record = deferred(zod.record);
export const strictObject = deferred(zod.strictObject);
export const string = deferred(zod.string);
export const tuple = deferred(zod.tuple);
export const union = deferred(zod.union);
export const url = deferred(zod.url);
export const unknown = deferred(zod.unknown);
const deferredEnum = deferred(zod.enum);
const deferredNull = deferred(zod.null);

export { deferredEnum as enum, deferredNull as null };

export const toJSONSchema = direct(zod.toJSONSchema);

const objects = new Set([zod.object, zod.looseObject, zod.strictObject]);
