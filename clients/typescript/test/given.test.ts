// What plain JavaScript gives and TypeScript would refuse: an error names it, and says what was expected.

import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, house, option, rotation, v1, variant, type Table } from "@bgcore/client";
import { connect as connectWeb } from "@bgcore/client/web";
import { fake } from "./fake.js";

/** Anything at all, as plain JavaScript passes it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

const bgcore = fake({}) as Any;
const table = bgcore.table("t") as Any;
const seat = table.seat(v1.Seat.WHITE, "w") as Any;
const made = house as Any;
const position = { onRoll: v1.Seat.WHITE };

const CHECKERS = "expected points and their checkers, such as { 24: 2, 13: 5 }";

const WRONG: readonly (readonly [ask: () => unknown, told: string])[] = [
  // A key that nobody knows, wherever options are taken.
  [() => made("western", { bear_off: "exact" }), 'house bear_off: no such key, expected one of id, title, summary, axes'],
  [() => made("western", { bear_off: "exact" }), 'an axis belongs under axes: { bear_off: "exact" }'],
  [() => made("western", { Title: "x" }), "house Title: no such key, expected title, most likely"],
  [() => bgcore.createTable({ variant: "kestrel", match_length: 3 }), "createTable match_length: no such key, expected one of"],
  [() => bgcore.createTable({ variant: "kestrel", match_length: 3 }), "an option belongs under options: { match_length: 3 }"],
  [() => bgcore.createTable({ variant: "kestrel", dice_mode: 1 }), "createTable dice_mode: no such key, expected diceMode, most likely"],
  [() => bgcore.createTable({ varaint: "kestrel" }), "expected variant, most likely"],
  [() => bgcore.createTable({}, { singal: 1 }), "createTable singal: no such key, expected signal, most likely"],
  [() => bgcore.createTable({ start: { white_score: 1 } }), "createTable.start.white_score: no such key, expected whiteScore, most likely"],
  [() => bgcore.createTable({ white: { bto: "greedy" } }), 'white {"bto":"greedy"}: expected { bot: "greedy" }'],
  [() => bgcore.createTable({ black: { player: "Ann", acount: "x" } }), "black acount: no such key, expected account, most likely"],
  [() => bgcore.createTable({ variant: { id: "western" } }), 'variant.id: no such key, expected kind: { case: "id", value: … }'],
  [() => bgcore.createTable({ rotation: { id: "tavli", start_index: 1 } }), "rotation.start_index: no such key, expected startIndex"],
  [() => variant("western", { match_length: 3 } as Any), "an option belongs under options: { match_length: 3 }"],
  [() => rotation("tavli", { start_index: 1 } as Any), "rotation start_index: no such key, expected startIndex, most likely"],
  [() => connect("127.0.0.1:1", { acount: "x" } as Any), "connect acount: no such key, expected account, most likely"],
  [() => connect("127.0.0.1:1", { retry: { delay: 1 } } as Any), "retry delay: no such key, expected one of attempts, delayMs"],
  [() => connectWeb("http://127.0.0.1:1", { protcol: "connect" } as Any), "expected protocol, most likely"],
  [() => table.get({ veiw: 1 }), "get veiw: no such key, expected view, most likely"],
  [() => table.join({ dice_seed: "x" }), "join dice_seed: no such key, expected diceSeed, most likely"],
  [() => table.join("white"), 'join "white": expected an object with side, name, diceSeed'],
  [() => table.kick(1, { x: 1 }), "kick x: no such key, expected one of signal"],
  [() => table.close("", { sginal: 1 }), "close sginal: no such key, expected signal, most likely"],
  [() => table.export(1, { match_number: 1 }), "export match_number: no such key, expected matchNumber, most likely"],
  [() => table.verifyDice({ match_number: 1 }), "verifyDice match_number: no such key, expected matchNumber, most likely"],
  [() => table.watch({ silence_ms: 1 }), "watch silence_ms: no such key, expected silenceMs, most likely"],
  [() => table.events({ state: true }).next(), "events state: no such key, expected states, most likely"],
  [() => seat.roll([], { validate_only: true }), "act validate_only: no such key, expected validateOnly, most likely"],
  [() => seat.rematch({ match_length: 3 }), "an option belongs under options: { match_length: 3 }"],
  [() => seat.leave({ sginal: 1 }), "leave sginal: no such key, expected signal, most likely"],
  [() => seat.decisions({ rematch: true }).next(), "decisions rematch: no such key, expected rematches, most likely"],
  [() => seat.resign({ levle: 1 }), "act.action.kind.value.levle: no such key, expected level, most likely"],
  [() => bgcore.rules.listPlays({ variant: variant("western"), position: { on_roll: 1 }, dice: [3, 1] }), "listPlays.position.on_roll: no such key, expected onRoll, most likely"],
  [() => bgcore.tables.watchTable({ table: "t", after: 1 }), "watchTable.after: no such key, expected one of table"],

  // A value of another kind.
  [() => made("western", { start: "24:5 18:5 12:5" }), `start "24:5 18:5 12:5": ${CHECKERS}`],
  [() => made("western", { start: [[24, 5]] }), CHECKERS],
  [() => made("western", { start: { 24: "5" } }), `start {"24":"5"}: ${CHECKERS}`],
  [() => made("western", { start: { 24: -5 } }), CHECKERS],
  [() => made("western", { start: { "24:5": 5 } }), CHECKERS],
  [() => made("western", { options: "cube" }), 'options "cube": expected names of options'],
  [() => made("western", { axes: "exact" }), 'axes "exact": expected values by name'],
  [() => made("western", { axes: { bear_off: 1.5 } }), "axis bear_off 1.5: expected true or false, a whole number"],
  [() => made("western", { bundles: { quick: 3 } }), "bundle quick 3: expected values by name"],
  [() => made(3), "parent 3: expected the id of a variant"],
  [() => option({} as Any), "option {}: expected true or false"],
  [() => option(undefined as Any), "option undefined: expected true or false"],
  [() => variant(3 as Any), "variant 3: expected an id, or what house or variant makes"],
  [() => rotation(3 as Any), "games 3: expected an id, or a list of variants"],
  [() => bgcore.createTable({ options: "match_length" }), 'options "match_length": expected values by name'],
  [() => bgcore.createTable({ white: "greedy" }), 'white "greedy": expected { bot: "greedy" } or { player: "Ann" }'],
  [() => bgcore.createTable({ seed: "x" }), 'seed "x": expected a whole number, not below 0'],
  [() => bgcore.createTable({ seed: -1 }), "seed -1: expected a whole number, not below 0"],
  [() => bgcore.createTable({ seed: 1.5 }), "seed 1.5: expected a whole number, not below 0"],
  [() => bgcore.createTable({ diceMode: "committed" }), "createTable.diceMode \"committed\": expected one of DiceMode.SYSTEM"],
  [() => bgcore.createTable({ start: "24:2" }), 'createTable.start "24:2": expected an object with'],
  [() => table.join({ side: "white" }), 'joinTable.seat "white": expected one of Seat.WHITE, Seat.BLACK'],
  [() => seat.roll(3, 1), "dice 3: expected a list of numbers, such as [3, 1]"],
  [() => seat.throw("31"), 'dice "31": expected a list of numbers'],
  [() => seat.play(3), 'play 3: expected a text such as "8/5 6/5", or a play that was listed'],
  [() => seat.play([{ origin: 8, number: 3 }]), "expected a text such as"],
  [() => seat.correct(undefined), "play undefined: expected a text such as"],
  [() => seat.nameDouble("six"), 'act.action.kind.value.number "six": expected a whole number, not below 0'],
  [() => seat.act({ kind: { case: "rol", value: {} } }), 'act.action.kind.case "rol": expected roll, most likely'],
  [() => seat.act("roll"), 'act.action "roll": expected an object with kind'],
  [() => bgcore.rules.listPlays({ variant: "western", position, dice: [3, 1] }), 'listPlays.variant "western": expected a variant, such as variant(id) makes'],
  [() => bgcore.rules.listPlays({ variant: variant("western"), position, dice: "31" }), 'listPlays.dice "31": expected a list'],
  [() => bgcore.rules.listPlays({ variant: variant("western"), position, dice: [3, "x"] }), 'listPlays.dice[1] "x": expected a whole number'],
];

for (const [ask, told] of WRONG) {
  test(`${String(ask).replace("() => ", "")} is refused`, async () => {
    const refused = (error: unknown) => {
      assert.ok(error instanceof TypeError, String(error));
      assert.ok(error.message.includes(told), error.message);
      return true;
    };
    await assert.rejects(async () => await ask(), refused);
  });
}

test("what is one of the keys, or undefined, is taken", async () => {
  const asked = fake({ createTable: () => ({ table: { id: "t" } }) }) as Any;
  const created = (await asked.createTable({ variant: "western", rotation: undefined, seed: 7n }, { signal: undefined })) as Table;
  assert.equal(created.id, "t");
  await created.get({ view: v1.PlayView.NONE });
});
