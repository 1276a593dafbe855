import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OccupantSchema, OptionValueSchema } from "./v1.js";

/** The value of an option as one writes it; `null` is none, no limit. */
export type OptionInput = boolean | number | bigint | string | null | readonly OptionInput[];

/** An option's value as it travels. */
export function option(value: OptionInput): MessageInitShape<typeof OptionValueSchema> {
  if (value === null) return { kind: { case: "none", value: {} } };
  switch (typeof value) {
    case "boolean":
      return { kind: { case: "flag", value } };
    case "number":
    case "bigint":
      return { kind: { case: "integer", value: BigInt(value) } };
    case "string":
      return { kind: { case: "text", value } };
    default:
      return { kind: { case: "list", value: { values: value.map(option) } } };
  }
}

/** Options by name as they travel. */
export function options(
  values: Readonly<Record<string, OptionInput>>,
): Record<string, MessageInitShape<typeof OptionValueSchema>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, option(value)]));
}

/**
 * Who is to sit on a seat: a bot of the server, or a player who joins later; with an account (the "sub" of its token) nobody
 * else can take the seat.
 */
export type Occupant = { readonly bot: string } | { readonly player: string; readonly account?: string };

/** An occupant as it travels. */
export function occupant(who: Occupant): MessageInitShape<typeof OccupantSchema> {
  return "bot" in who
    ? { kind: { case: "bot", value: { id: who.bot } } }
    : { kind: { case: "player", value: { name: who.player, account: who.account ?? "" } } };
}
