// A tour of the client.
//
//     node build/examples/tour.js [address]

import { BgcoreError, checkDice, connect, plays, v1 } from "@bgcore/client";

const [address = "127.0.0.1:50051"] = process.argv.slice(2);

const bgcore = connect(address);

// Rules need no table. Which plays has an opening 3-1?
const { variant } = await bgcore.variants.getVariant({ id: "western" });
const answer = await bgcore.rules.listPlays({
  variant: { kind: { case: "id", value: "western" } },
  position: { ...variant!.start!, onRoll: v1.Seat.WHITE },
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
