import type { MessageInitShape } from "@bufbuild/protobuf";
import { byName, byPoint, checkMessage, known, plain, refused, type Keys } from "./given.js";
import { RotationRefSchema, VariantRefSchema, VariantSpecSchema, type DrawPolicy } from "./v1.js";
import { options, type OptionInput } from "./values.js";

type Options = Readonly<Record<string, OptionInput>>;

/** House rules as they travel: what `house` makes, or a table tells. */
export type House = MessageInitShape<typeof VariantSpecSchema> & { readonly base: string };

/** A variant by its id or alias, house rules, or what `variant` makes of either. */
export type VariantInput = string | House | MessageInitShape<typeof VariantRefSchema>;

/** A rotation of the server by its id, or what `rotation` makes. */
export type RotationInput = string | MessageInitShape<typeof RotationRefSchema>;

/** What differs from a variant. All of it may be left out. */
export interface HouseRules {
  /** Names; without, they follow from the rules. */
  readonly id?: string;
  readonly title?: string;
  readonly summary?: string;
  /** Other values on the axes of the variant, by name. */
  readonly axes?: Options;
  /** The checkers of each side by own point, 24 the farthest; without: as in the parent. */
  readonly start?: Readonly<Record<number, number>>;
  /** What a table may still choose; without: what the parent lets choose. */
  readonly options?: readonly string[];
  /** Values of options that are chosen together, by the name that is given as a preset. */
  readonly bundles?: Readonly<Record<string, Options>>;
}

const HOUSE_RULES: Keys<HouseRules> = {
  id: true, title: true, summary: true, axes: true, start: true, options: true, bundles: true,
};

/**
 * House rules: a variant of the server, and what differs from it. The axes have a place of their own:
 * `house("western", { axes: { bear_off: "exact" } })`. Throws `TypeError` for a key that is none, or a value of another kind.
 */
export function house(parent: string, rules: HouseRules = {}): House {
  known("house", rules, HOUSE_RULES, ["an axis", "axes"]);
  const { id = "", title = "", summary = "", axes = {}, start, options: offered, bundles = {} } = rules;
  if (typeof parent !== "string") throw refused("parent", parent, "the id of a variant");
  if (offered && !Array.isArray(offered)) throw refused("options", offered, 'names of options, such as ["opening_roll"]');
  const bundled = byName("bundles", bundles).map(
    ([name, values]) => [name, { options: options(values, `bundle ${name}`, `bundle ${name}:`) }] as const,
  );
  return {
    base: parent,
    id,
    title,
    summary,
    axes: options(axes, "axes", "axis"),
    ...(start && { start: { points: byPoint("start", start) } }),
    ...(offered && { options: { names: [...offered] } }),
    bundles: Object.fromEntries(bundled),
  };
}

interface VariantOptions {
  readonly preset?: string;
  readonly options?: Options;
}

const VARIANT_OPTIONS: Keys<VariantOptions> = { preset: true, options: true };

/** A variant, or house rules, with a preset and options that differ from it: for the services' own calls, and in rotations. */
export function variant(
  which: VariantInput,
  how: VariantOptions = {},
): MessageInitShape<typeof VariantRefSchema> {
  const { preset = "", options: chosen = {} } = known("variant", how, VARIANT_OPTIONS, ["an option", "options"]);
  if (typeof which === "string") which = { kind: { case: "id", value: which } };
  else if (!plain(which)) throw refused("variant", which, "an id, or what house or variant makes");
  else if ("base" in which) which = { kind: { case: "spec", value: which } };
  checkMessage(VariantRefSchema, which, "variant");
  return {
    ...(which.kind && { kind: which.kind }),
    preset: preset || (which.preset ?? ""),
    options: { ...which.options, ...options(chosen) },
  };
}

/** What a rotation says beside its games. All of it may be left out. */
export interface RotationOptions {
  /** What follows a drawn game. */
  readonly drawPolicy?: DrawPolicy;
  /** The place of the first game in the list, from 0. */
  readonly startIndex?: number;
  /** Those of match and table, the same for every game. */
  readonly options?: Options;
}

const ROTATION_OPTIONS: Keys<RotationOptions> = { drawPolicy: true, startIndex: true, options: true };

/** Games that follow one another in a match: a rotation of the server by its id, or a list of two games and more. */
export function rotation(
  games: string | readonly VariantInput[],
  how: RotationOptions = {},
): MessageInitShape<typeof RotationRefSchema> {
  const { drawPolicy, startIndex, options: chosen = {} } = known("rotation", how, ROTATION_OPTIONS, ["an option", "options"]);
  if (typeof games !== "string" && !Array.isArray(games)) throw refused("games", games, "an id, or a list of variants");
  return {
    ...(typeof games === "string" ? { id: games } : { games: games.map((game) => variant(game)) }),
    ...(drawPolicy !== undefined && { drawPolicy }),
    ...(startIndex !== undefined && { startIndex }),
    options: options(chosen),
  };
}

/** Which games a table or a rematch is to have. */
export interface GamesWanted {
  /** A variant or house rules. With a record it may be left out. */
  readonly variant?: VariantInput;
  /** Instead of a variant: a match whose games change. */
  readonly rotation?: RotationInput;
  /** Id of one of the variant's presets, or of its bundles. */
  readonly preset?: string;
  /** By name; `getVariant` lists them. `match_length: null` is a money session. With a rotation: those of the match. */
  readonly options?: Options;
}

/** Their keys, for whoever takes more beside them. */
export const GAMES_WANTED: Keys<GamesWanted> = { variant: true, rotation: true, preset: true, options: true };

type Given<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** The games wanted, as fields of a request. Whether they go together, or what is missing, is for the server to say. */
export function gamesWanted({ variant: which, rotation: games, preset = "", options: chosen = {} }: Given<GamesWanted>): {
  readonly variant?: MessageInitShape<typeof VariantRefSchema>;
  readonly rotation?: MessageInitShape<typeof RotationRefSchema>;
} {
  const named = typeof games === "string" ? { id: games } : games;
  if (named) checkMessage(RotationRefSchema, named, "rotation");
  const ofVariant = which !== undefined || preset || (!named && Object.keys(chosen).length);
  return {
    ...(ofVariant && { variant: variant(which ?? {}, { preset, options: chosen }) }),
    ...(named && { rotation: changed(named, chosen) }),
  };
}

/** A rotation with further options. */
function changed(
  { id = "", games = [], drawPolicy, startIndex, options: own }: MessageInitShape<typeof RotationRefSchema>,
  chosen: Options,
): MessageInitShape<typeof RotationRefSchema> {
  return {
    id,
    games,
    ...(drawPolicy !== undefined && { drawPolicy }),
    ...(startIndex !== undefined && { startIndex }),
    options: { ...own, ...options(chosen) },
  };
}
