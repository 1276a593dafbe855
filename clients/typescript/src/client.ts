import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, type Transport } from "@connectrpc/connect";
import { calls, CALLING, RETRY, type Account, type Calling, type Calls, type Line, type Retry } from "./calls.js";
import { BgcoreError } from "./errors.js";
import { Table, type Secrets } from "./table.js";
import {
  RulesService,
  TableService,
  VariantService,
  type DiceMode,
  type StartSchema,
  type Visibility,
} from "./v1.js";
import { GAMES_WANTED, gamesWanted, type GamesWanted } from "./games.js";
import { known, refused, type Keys } from "./given.js";
import { occupant, type Occupant } from "./values.js";

export interface BgcoreOptions {
  /** How to go on when the server does not answer. */
  readonly retry?: Partial<Retry>;
  /** The token of an account, or what gives it for each attempt; shown wherever no other token is, of a table or a seat. */
  readonly account?: Account;
}

/** What a table is to be. */
export interface NewTable extends GamesWanted {
  readonly white?: Occupant;
  readonly black?: Occupant;
  readonly diceMode?: DiceMode;
  /** With seeded dice. */
  readonly seed?: number | bigint;
  readonly visibility?: Visibility;
  readonly start?: MessageInitShape<typeof StartSchema>;
  /** The text of our record of a match that is to go on, as `table.export` gives it; then no `start`. */
  readonly record?: string;
  /** For a caller that keeps its own; without: a random one. */
  readonly requestId?: string;
}

export const BGCORE_OPTIONS: Keys<BgcoreOptions> = { retry: true, account: true };
const RETRY_KEYS: Keys<Retry> = { attempts: true, delayMs: true, maxDelayMs: true };
const NEW_TABLE: Keys<NewTable> = {
  ...GAMES_WANTED,
  ...{ white: true, black: true, diceMode: true, seed: true, visibility: true, start: true, record: true, requestId: true },
};

/** A server, over any transport of Connect. `connect` makes one over gRPC. */
export class Bgcore {
  readonly variants: Calls<typeof VariantService>;
  readonly rules: Calls<typeof RulesService>;
  readonly tables: Calls<typeof TableService>;
  /** @internal */
  readonly line: Line;
  readonly #transport: Transport;
  readonly #closed: AbortController;
  readonly #hangUp: () => void;

  constructor(
    transport: Transport,
    options: BgcoreOptions = {},
    hangUp: () => void = () => {},
    closed = new AbortController(),
  ) {
    const { retry = {}, account = "" } = known("connect", options, BGCORE_OPTIONS);
    known("retry", retry, RETRY_KEYS);
    this.#transport = transport;
    this.#closed = closed;
    this.line = { retry: { ...RETRY, ...retry }, account, closed: closed.signal };
    this.variants = calls(VariantService, transport, this.line);
    this.rules = calls(RulesService, transport, this.line);
    this.tables = calls(TableService, transport, this.line);
    this.#hangUp = hangUp;
  }

  /** The same for an account, over the same connection; closing either closes both. */
  withAccount(account: Account): Bgcore {
    return new Bgcore(this.#transport, { retry: this.line.retry, account }, this.#hangUp, this.#closed);
  }

  /**
   * Make a table. It has the secrets that the server gives, `table.secrets`, and shows the host's at each call, or the account
   * that made it.
   */
  async createTable(wanted: NewTable, calling: Calling = {}): Promise<Table> {
    known("createTable", wanted, NEW_TABLE, ["an option", "options"]);
    const { variant, rotation, preset, options, white, black, seed = 0, record, ...rest } = wanted;
    const { signal } = known("createTable", calling, CALLING);
    if (!(typeof seed === "bigint" || Number.isInteger(seed)) || seed < 0) {
      throw refused("seed", seed, "a whole number, not below 0");
    }
    if (record && rest.start) throw new BgcoreError(Code.InvalidArgument, "", "start: expected none beside a record");
    const { table, hostToken, invitationToken, spectatorToken } = await this.tables.createTable(
      {
        ...gamesWanted({ variant, rotation, preset, options }),
        ...(record && { start: { record } }),
        ...(white && { white: occupant(white, "white") }),
        ...(black && { black: occupant(black, "black") }),
        seed: BigInt(seed),
        ...rest,
      },
      { ...(signal && { signal }) },
    );
    const secrets = { host: hostToken, invitation: invitationToken, spectator: spectatorToken };
    return this.table(table!.id, this.line.account ? "" : hostToken, secrets);
  }

  /**
   * A table by its id, whether it exists or not. `token` is what is shown there: an invitation, a spectator's, the host's, a
   * seat's.
   */
  table(id: string, token = "", secrets?: Secrets): Table {
    return new Table(this, id, token, secrets);
  }

  /** Hang up. Watches end; calls that are under way, and later ones, fail. */
  close(): void {
    this.#closed.abort();
    this.#hangUp();
  }
}
