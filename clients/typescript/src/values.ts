import type { MessageInitShape } from "@bufbuild/protobuf";
import { byName, known, plain, refused } from "./given.js";
import type { OccupantSchema, OptionValueSchema } from "./v1.js";

/** The value of an option as one writes it; `null` is none, no limit. */
export type OptionInput = boolean | number | bigint | string | null | readonly OptionInput[];

const OPTION = "true or false, a whole number, a text, null, or a list of these";

/** An option's value as it travels; `TypeError` for what has none. */
export function option(value: OptionInput, what = "option"): MessageInitShape<typeof OptionValueSchema> {
  if (value === null) return { kind: { case: "none", value: {} } };
  switch (typeof value) {
    case "boolean":
      return { kind: { case: "flag", value } };
    case "number":
      if (!Number.isInteger(value)) throw refused(what, value, OPTION);
      return { kind: { case: "integer", value: BigInt(value) } };
    case "bigint":
      return { kind: { case: "integer", value } };
    case "string":
      return { kind: { case: "text", value } };
    default:
      if (!Array.isArray(value)) throw refused(what, value, OPTION);
      return { kind: { case: "list", value: { values: value.map((one: OptionInput) => option(one, what)) } } };
  }
}

/** Options by name as they travel; `one` is what each of them is. */
export function options(
  values: Readonly<Record<string, OptionInput>>,
  what = "options",
  one = "option",
): Record<string, MessageInitShape<typeof OptionValueSchema>> {
  return Object.fromEntries(byName(what, values).map(([name, value]) => [name, option(value, `${one} ${name}`)]));
}

/**
 * Who is to sit on a seat: a bot of the server, or a player who joins later; with an account (the "sub" of its token) nobody
 * else can take the seat.
 */
export type Occupant = { readonly bot: string } | { readonly player: string; readonly account?: string };

const OCCUPANT = { bot: true, player: true, account: true } as const;

/** An occupant as it travels. */
export function occupant(who: Occupant, what: string): MessageInitShape<typeof OccupantSchema> {
  if (!plain(who) || !("bot" in who || "player" in who)) throw refused(what, who, '{ bot: "greedy" } or { player: "Ann" }');
  known<{ bot?: string; player?: string; account?: string }>(what, who, OCCUPANT);
  return "bot" in who
    ? { kind: { case: "bot", value: { id: who.bot } } }
    : { kind: { case: "player", value: { name: who.player, account: who.account ?? "" } } };
}
