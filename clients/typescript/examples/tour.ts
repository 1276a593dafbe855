// A tour of the client.
//
//     node build/examples/tour.js [address]

import { BgcoreError, checkDice, connect, house, plays, rotation, v1, variant } from "@bgcore/client";

const [address = "127.0.0.1:50051"] = process.argv.slice(2);

const bgcore = connect(address);

// Rules need no table. Which plays has an opening 3-1?
const western = (await bgcore.variants.getVariant({ id: "western" })).variant!;
const answer = await bgcore.rules.listPlays({
  variant: variant("western"),
  position: { ...western.start!, onRoll: v1.Seat.WHITE },
  dice: [3, 1],
  view: v1.PlayView.TEXT,
});
console.log(plays(answer.plays!).map(({ text }) => text));

// Two players at a real board, who type in what they throw.
const table = await bgcore.createTable({
  variant: "western",
  options: { match_length: 5 },
  diceMode: v1.DiceMode.MANUAL,
});
const ann = await table.join({ name: "Ann" });
const bob = await table.join({ name: "Bob" });
await ann.throw([3, 1]);

try {
  await ann.play("8/5 6/4");
} catch (error) {
  if (!(error instanceof BgcoreError)) throw error;
  console.log(error.reason, "at step", error.step, error.metadata); // NUMBER_NOT_ROLLED at step 1 …
}

await ann.play("8/5 6/5");
await bob.double();
const { lastRevision, state } = await ann.take();
console.log("the cube is at", state!.game!.cube!.value);

for await (const update of table.watch({ after: 0 })) {
  console.log(update.revision, update.kind === "event" ? update.event.kind.value : update.snapshot);
  if (update.revision === lastRevision) break;
}

// House rules, and a match whose games change.
const kitchen = house("western", {
  title: "Kitchen table",
  axes: { bear_off: "exact", cube: false },
  start: { 24: 2, 23: 2, 13: 4, 8: 3, 6: 4 },
});
await bgcore.createTable({ variant: kitchen, options: { match_length: 3 } });

try {
  await bgcore.createTable({ variant: house("western", { axes: { contcat: "pin", gammon_value: 9 } }) });
} catch (error) {
  if (!(error instanceof BgcoreError)) throw error;
  console.log(error.violations.map(({ subject }) => subject)); // variant.spec.axes["contcat"], …
}

const games = rotation(["portes", variant("plakoto", { options: { mother_rule: true } }), kitchen]);
const changing = await bgcore.createTable({ rotation: games, options: { match_length: 5 } });
const { match } = (await changing.get()).state!;
console.log(match!.variant, "and then", match!.nextVariant);

// Two players whose dice can be checked when the match is over.
const fair = await bgcore.createTable({ variant: "tavla", diceMode: v1.DiceMode.COMMITTED });
const me = await fair.join({ name: "Ann" });
const other = await fair.join({ name: "Bob" });
await me.throw();
await other.resignMatch();

const { dice, throws } = await fair.verifyDice();
const faults = await checkDice(dice!, fair.events(), me);
console.log(throws.length, "throws,", faults.length, "faults");

// Two friends at a table of their own, who play another match.
const own = await bgcore.createTable({
  variant: "western",
  options: { match_length: 1, auto_roll: true },
  visibility: v1.Visibility.PRIVATE,
  diceMode: v1.DiceMode.COMMITTED,
});
const { invitation } = own.secrets!; // keep them: only who has `host` can close the table
const host = await own.join({ name: "Ann" });
const guest = await bgcore.table(own.id, invitation).join({ name: "Bob" });
await guest.resignMatch();

const { seat } = await host.rematch();
const agreed = await guest.rematch();
console.log("match", agreed.answer.state!.matchNumber);

await agreed.seat.resignMatch();
for (const player of [seat, agreed.seat]) {
  const matchNumber = player.noted!.matchNumber!;
  const proof = (await own.verifyDice({ matchNumber })).dice!;
  console.log("match", matchNumber, "has", (await checkDice(proof, own.events(), player)).length, "faults");
}
await own.close("thank you");

bgcore.close();
