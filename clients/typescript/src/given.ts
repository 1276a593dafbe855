// What callers give, held against what can be taken. TypeScript does it while it compiles; in plain JavaScript a key that
// nobody knows would be dropped without a word.

import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";

/** Every key that an object may have; the compiler sees to it that none is missing. */
export type Keys<T> = { readonly [Key in keyof Required<T>]: true };

/** What is expected of a start, or of a side of a board. */
const CHECKERS = "points and their checkers, such as { 24: 2, 13: 5 }";
const UINT32 = 2 ** 32;
const LONGEST_SHOWN = 100;
/** Shorter keys may differ in one letter, longer ones in every third. */
const LETTERS_A_SLIP = 3;

/** What is expected as a message, for those that a helper makes. */
const MADE_BY: Readonly<Record<string, string>> = {
  OptionValue: "an option's value, such as option(3) makes",
  RotationRef: "a rotation, such as rotation(id) makes",
  VariantRef: "a variant, such as variant(id) makes",
  VariantSpec: "house rules, such as house(parent) makes",
};

/** The error of a value that is not what it must be. */
export function refused(what: string, value: unknown, expected: string): TypeError {
  return new TypeError(`${what} ${shown(value)}: expected ${expected}`);
}

/**
 * The same object, if it has no other keys than these; otherwise `TypeError` names the key and what was expected. `within` is
 * what a name that is none of them may be, and the key under which those belong.
 */
export function known<T extends object>(
  what: string,
  given: T,
  keys: Keys<T>,
  within?: readonly [thing: string, key: keyof T & string],
): T {
  const names = Object.keys(keys);
  if (!plain(given)) throw refused(what, given, `an object with ${names.join(", ")}`);
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(keys, key)) continue;
    const meant = nearest(key, names);
    const hint = within && !meant ? `; ${within[0]} belongs under ${within[1]}: { ${key}: ${shown(value)} }` : "";
    throw new TypeError(unknownKey(`${what} ${key}`, likely(meant, names) + hint));
  }
  return given;
}

/** Values by name; `TypeError` for anything else. */
export function byName<T>(what: string, given: Readonly<Record<string, T>>): [name: string, value: T][] {
  if (!plain(given)) throw refused(what, given, "values by name, such as { match_length: 3 }");
  return Object.entries(given);
}

/** Checkers by point; `TypeError` for anything else, such as a text. */
export function byPoint(what: string, given: Readonly<Record<number, number>>): Record<number, number> {
  if (!plain(given)) throw refused(what, given, CHECKERS);
  for (const [point, count] of Object.entries(given)) {
    if (!whole(Number(point)) || typeof count !== "number" || !whole(count)) throw refused(what, { [point]: count }, CHECKERS);
  }
  return { ...given };
}

/**
 * Whether a request is one: `TypeError` names the first key that its message does not have, or value that its field cannot
 * take, by its path.
 */
export function checkMessage(kind: DescMessage, given: unknown, what: string): void {
  const names = kind.members.map(({ localName }) => localName);
  if (!plain(given)) throw refused(what, given, MADE_BY[kind.name] ?? `an object with ${names.join(", ")}`);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("$")) continue; // what protobuf itself notes
    const member = kind.members.find(({ localName }) => localName === key);
    if (!member) throw new TypeError(unknownKey(`${what}.${key}`, meantMember(kind, key, names)));
    if (value === undefined || value === null) continue;
    if (member.kind === "field") checkField(member, value, `${what}.${key}`);
    else checkChoice(member.fields, value, `${what}.${key}`);
  }
}

/** A field of a choice is not said by its own name, but as the case. */
function meantMember(kind: DescMessage, key: string, names: readonly string[]): string {
  const chosen = kind.fields.find(({ localName }) => folded(localName) === folded(key));
  if (!chosen?.oneof) return likely(nearest(key, names), names);
  return `${chosen.oneof.localName}: { case: "${chosen.localName}", value: … }`;
}

function checkChoice(fields: readonly DescField[], given: unknown, what: string): void {
  const names = fields.map(({ localName }) => localName);
  const expected = `{ case, value } with a case of ${names.join(", ")}`;
  if (!plain(given)) throw refused(what, given, expected);
  const { case: chosen, value } = given as { readonly case?: unknown; readonly value?: unknown };
  if (chosen === undefined) return;
  const field = fields.find(({ localName }) => localName === chosen);
  if (!field) throw refused(`${what}.case`, chosen, likely(nearest(String(chosen), names), names));
  checkField(field, value, `${what}.value`);
}

function checkField(field: DescField, given: unknown, what: string): void {
  switch (field.fieldKind) {
    case "list":
      // Texts and bytes are lists, too, of what nobody meant.
      if (!Array.isArray(given)) throw refused(what, given, "a list");
      given.forEach((one, index) => checkValue(field.listKind === "message" ? field.message : field, one, `${what}[${index}]`));
      return;
    case "map":
      if (!plain(given)) throw refused(what, given, "an object: values by name");
      for (const [name, one] of Object.entries(given)) {
        checkValue(field.mapKind === "message" ? field.message : field, one, `${what}[${JSON.stringify(name)}]`);
      }
      return;
    case "message":
      checkMessage(field.message, given, what);
      return;
    default:
      checkValue(field, given, what);
  }
}

function checkValue(kind: DescMessage | DescField, given: unknown, what: string): void {
  if (kind.kind === "message") return checkMessage(kind, given, what);
  if (kind.enum) {
    const { name, values } = kind.enum;
    const words = values.filter(({ localName }) => localName !== "UNSPECIFIED").map(({ localName }) => `${name}.${localName}`);
    if (!whole(given)) throw refused(what, given, `one of ${words.join(", ")}`);
    return;
  }
  const [fits, expected] = SCALARS[kind.scalar!] ?? NUMBER;
  if (!fits(given)) throw refused(what, given, expected);
}

type Scalar = readonly [fits: (given: unknown) => boolean, expected: string];

const NUMBER: Scalar = [(given) => whole(typeof given === "string" ? Number(given) : given), "a whole number, not below 0"];
const LARGE: Scalar = [(given) => typeof given === "bigint" || whole(Number(given)), "a whole number"];
const SIGNED: Scalar = [(given) => typeof given === "bigint" || Number.isInteger(Number(given)), "a whole number"];
const REAL: Scalar = [(given) => typeof given === "number", "a number"];

/** What a field of a type takes, as far as it is not a small whole number. */
const SCALARS: Readonly<Partial<Record<ScalarType, Scalar>>> = {
  [ScalarType.STRING]: [(given) => typeof given === "string", "a text"],
  [ScalarType.BOOL]: [(given) => typeof given === "boolean", "true or false"],
  [ScalarType.BYTES]: [(given) => given instanceof Uint8Array, "a Uint8Array"],
  [ScalarType.UINT64]: LARGE,
  [ScalarType.INT64]: SIGNED,
  [ScalarType.INT32]: SIGNED,
  [ScalarType.DOUBLE]: REAL,
  [ScalarType.FLOAT]: REAL,
};

function whole(given: unknown): given is number {
  return Number.isInteger(given) && (given as number) >= 0 && (given as number) < UINT32;
}

/** Whether something has keys of its own: no list, no bytes. */
export function plain(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given);
}

function shown(value: unknown): string {
  const text =
    typeof value === "object" && value !== null
      ? JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one))
      : typeof value === "string"
        ? JSON.stringify(value)
        : String(value);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`;
}

// -- keys that nobody knows ---------------------------------------------------------------------------

function unknownKey(what: string, expected: string): string {
  return `${what}: no such key, expected ${expected}`;
}

function likely(meant: string | undefined, names: readonly string[]): string {
  if (meant) return `${meant}, most likely`;
  return names.length ? `one of ${names.join(", ")}` : "none";
}

/** The name that was meant by another, such as `matchLength` by `match_length`, or by one with a slip in it. */
function nearest(key: string, names: readonly string[]): string | undefined {
  const wanted = folded(key);
  const slips = Math.max(1, Math.floor(wanted.length / LETTERS_A_SLIP));
  const [best] = names
    .map((name) => [name, distance(wanted, folded(name))] as const)
    .filter(([name, apart]) => apart <= slips && apart < folded(name).length)
    .sort(([, one], [, other]) => one - other);
  return best?.[0];
}

function folded(name: string): string {
  return name.replaceAll(/[_\- ]/g, "").toLowerCase().slice(0, 64);
}

/** How many letters must be put in, left out, changed or swapped with the next. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let line = 1; line <= one.length; line++) {
    const [before, above, row] = [rows[line - 2], rows[line - 1]!, [line]];
    for (let at = 1; at <= other.length; at++) {
      const same = one[line - 1] === other[at - 1];
      const swapped = one[line - 1] === other[at - 2] && one[line - 2] === other[at - 1] && before;
      const changes = [row[at - 1]! + 1, above[at]! + 1, above[at - 1]! + (same ? 0 : 1)];
      row.push(Math.min(...changes, swapped ? before[at - 2]! + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
