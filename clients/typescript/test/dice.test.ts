import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { checkDice, derive, v1, type Seat } from "@bgcore/client";
import { fake } from "./fake.js";

const VECTORS = new URL("../../../../tests/data/vectors/committed-dice.jsonl", import.meta.url);
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
/** The server seed of the example in docs/dice.md. */
const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index);
const SEEDS = ["ann's own", "Zoë ⚅"] as const;
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

function proof(changes: MessageInitShape<typeof v1.DiceProofSchema> = {}): v1.DiceProof {
  return create(v1.DiceProofSchema, {
    scheme: "bgcore-dice-1",
    commitment: COMMITMENT,
    whiteSeed: SEEDS[0],
    blackSeed: SEEDS[1],
    serverSeed: Buffer.from(SECRET).toString("hex"),
    ...changes,
  });
}

/** A table's events with such dice; one throw may be changed. */
async function* thrown(changed = -1): AsyncGenerator<v1.Event> {
  for (let number = 0; number < 60; number++) {
    const dice = await derive(SECRET, SEEDS, number, 2);
    if (number === changed) dice[0] = (dice[0]! % 6) + 1;
    const kind = { case: number ? "roll" : "throw", value: { dice } } as const;
    yield create(v1.EventSchema, { revision: 2 * number + 3, kind: { case: "action", value: { kind } } });
    yield create(v1.EventSchema, { revision: 2 * number + 4 });
  }
}

function committed(joined: v1.JoinTableRequest[] = []) {
  return fake({
    getTable: () => ({
      table: { diceMode: v1.DiceMode.COMMITTED },
      state: { dice: { commitment: COMMITMENT } },
    }),
    joinTable: (request) => {
      joined.push(request);
      return { seat: v1.Seat.BLACK, token: "secret" };
    },
  }).table("t");
}

test("every vector gives its numbers", async () => {
  const lines = readFileSync(VECTORS, "utf8").trim().split("\n");
  assert.ok(lines.length >= 10);
  for (const line of lines) {
    const { server_seed, seeds, throw: number, dice, numbers } = JSON.parse(line);
    assert.deepEqual(await derive(bytes(server_seed), seeds, number, dice), numbers, line);
  }
});

test("dice have no fault until a throw is changed", async () => {
  assert.deepEqual(await checkDice(proof(), thrown()), []);
  const [found, ...more] = await checkDice(proof(), thrown(59));
  assert.deepEqual([found!.reason, found!.revision, more], ["THROW_NOT_DERIVED", 121, []]);
  assert.match(found!.message, /^throw 59 \(the first is 0\) was \d-\d: expected \d-\d/);
});

test("what a record told before anybody sat down is none of the table's dice", async () => {
  const joined = create(v1.EventSchema, { kind: { case: "seatTaken", value: {} } });
  async function* events() {
    yield* thrown(1);
    yield joined;
    for await (const event of thrown(59)) {
      if (event.revision === 21) yield joined; // behind the second player nothing can hide
      yield event;
    }
  }
  const faults = await checkDice(proof(), events());
  assert.deepEqual(faults.map(({ revision }) => revision), [121]);
});

test("what does not hold of the proof is told", async () => {
  const zoe = await committed().join({ diceSeed: SEEDS[1] });
  const reasons = async (changes: MessageInitShape<typeof v1.DiceProofSchema>, seat?: Seat) =>
    (await checkDice(proof(changes), [], seat)).map(({ reason }) => reason);
  const serverSeed = "00".repeat(32);
  const commitment = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"; // its SHA-256
  assert.deepEqual(await reasons({}, zoe), []);
  assert.deepEqual(await reasons({ serverSeed }, zoe), ["COMMITMENT_BROKEN"]);
  assert.deepEqual(await reasons({ serverSeed, commitment }, zoe), ["COMMITMENT_CHANGED"]);
  assert.deepEqual(await reasons({ serverSeed, commitment }), []); // it agrees with itself
  assert.deepEqual(await reasons({ blackSeed: "another" }, zoe), ["DICE_SEED_CHANGED"]);
  assert.deepEqual(await reasons({ whiteSeed: "" }, zoe), ["DICE_SEED_MISSING"]);
  assert.deepEqual(await reasons({ serverSeed: "" }, zoe), ["SERVER_SEED_SECRET"]);
  assert.deepEqual(await reasons({ scheme: "bgcore-dice-2" }, zoe), ["SCHEME_UNKNOWN"]);
});

test("who joins at committed dice adds a seed, and notes it with the commitment", async () => {
  const joined: v1.JoinTableRequest[] = [];
  const table = committed(joined);
  const first = await table.join();
  await table.join();
  await table.join({ diceSeed: "mine" });
  const seeds = joined.map(({ diceSeed }) => diceSeed);
  assert.deepEqual(first.at(3).noted, { seed: seeds[0], commitment: COMMITMENT });
  assert.equal(seeds[0]!.length, 64);
  assert.notEqual(seeds[0], seeds[1]);
  assert.equal(seeds[2], "mine");
});

test("joining again with the same request id sends the same", async () => {
  const joined: v1.JoinTableRequest[] = [];
  for (let time = 0; time < 2; time++) await committed(joined).join({ requestId: "one that I keep" });
  assert.deepEqual(joined[0], joined[1]);
  assert.ok(!joined[0]!.diceSeed.includes("keep"));
});

test("at other dice no seed is sent unless it is given", async () => {
  const seeds: string[] = [];
  const bgcore = fake({
    joinTable: ({ diceSeed }) => {
      seeds.push(diceSeed);
      return { seat: v1.Seat.WHITE };
    },
  });
  assert.equal((await bgcore.table("t").join()).noted, undefined);
  await bgcore.table("t").join({ diceSeed: "mine" }); // which the server will refuse
  assert.deepEqual(seeds, ["", "mine"]);
});

test("each match of a table is checked by its own note", async () => {
  const started = create(v1.EventSchema, { kind: { case: "matchStarted", value: { matchNumber: 2 } } });
  async function* events() {
    yield* thrown(59); // of the first match, and wrong
    yield started;
    yield* thrown();
  }
  const zoe = committed().seat(v1.Seat.BLACK, "x", { seed: SEEDS[1], commitment: COMMITMENT });
  const { noted, table } = zoe;
  for (const [matchNumber, faults] of [[1, 1], [2, 0], [3, 0]] as const) {
    const seat = table.seat(v1.Seat.BLACK, "x", { ...noted!, matchNumber });
    assert.equal((await checkDice(proof(), events(), seat)).length, faults);
    assert.equal((await checkDice(proof(), events(), undefined, matchNumber)).length, faults);
  }
  assert.equal((await checkDice(proof(), events(), zoe)).length, 1);
  assert.deepEqual(await checkDice(proof(), events()), []);
});
