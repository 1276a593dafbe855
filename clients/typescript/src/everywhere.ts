/** What Node and browsers have alike. */
export { Code } from "@connectrpc/connect";
export { Batch, packPositions } from "./batch.js";
export { Bgcore, type BgcoreOptions, type NewTable } from "./client.js";
export { type Account, type Calls, type Retry } from "./calls.js";
export { checkDice, derive } from "./dice.js";
export { BgcoreError, type Violation } from "./errors.js";
export {
  house,
  rotation,
  variant,
  type GamesWanted,
  type House,
  type HouseRules,
  type RotationInput,
  type RotationOptions,
  type VariantInput,
} from "./games.js";
export { board, columns, plays, type Board, type Play, type Step } from "./plays.js";
export {
  Seat,
  type ActOptions,
  type Choice,
  type DecisionsOptions,
  type DiceNote,
  type PlayInput,
  type Rematch,
  type RematchOptions,
} from "./seat.js";
export { Table, type EventsOptions, type JoinOptions, type MatchOptions, type Secrets } from "./table.js";
export { option, type Occupant, type OptionInput } from "./values.js";
export { type Update, type WatchOptions } from "./watch.js";
export * as v1 from "./v1.js";
