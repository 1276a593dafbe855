// Plays a match against the bot "greedy" and knows no rules: it only picks from what the server lists.
//
//     node build/examples/play-match.js [address] [variant] [match length; 0: as the preset has it] [preset] [tries]

import { BgcoreError, connect, plays, v1, type Choice } from "@bgcore/client";

const [address = "127.0.0.1:50051", variant = "western", length = "3", preset = "", tries = "9"] =
  process.argv.slice(2);

const bgcore = connect(address, { retry: { attempts: Number(tries) } });
const table = await bgcore.createTable({
  variant,
  preset,
  options: Number(length) ? { match_length: Number(length) } : {},
  black: { bot: "greedy" },
});
const me = await table.join({ name: "Node" });

for await (const choice of me.decisions()) {
  try {
    await decide(choice);
  } catch (error) {
    // Where both may act, the bot can be quicker; what it did comes next.
    if (!(error instanceof BgcoreError && error.stale)) throw error;
  }
}

const { match } = (await table.get()).state!;
console.log(`${variant}: Node ${match!.whiteScore}, greedy ${match!.blackScore}`);
bgcore.close();
process.exitCode = match!.winner === v1.Seat.UNSPECIFIED && !match!.closed ? 1 : 0;

/** The first of the kinds that we know how to answer; a play at random. */
function decide({ decision, seat }: Choice): Promise<unknown> {
  const may = (kind: v1.ActionKind) => decision.kinds.includes(kind);
  if (may(v1.ActionKind.THROW)) return seat.throw();
  if (may(v1.ActionKind.END_SESSION) && Math.random() < 0.3) return seat.endSession(); // as long as one likes
  if (may(v1.ActionKind.NEXT_GAME)) return seat.nextGame();
  if (may(v1.ActionKind.ANSWER_RESIGNATION)) return seat.answerResignation(true);
  if (may(v1.ActionKind.ANIMAL) && Math.random() < 0.25) return seat.animal();
  if (may(v1.ActionKind.TAKE)) return seat.take();
  if (may(v1.ActionKind.DOUBLE) && Math.random() < 0.05) return seat.double();
  if (may(v1.ActionKind.ROLL)) return seat.roll();
  if (may(v1.ActionKind.NAME_DOUBLE)) return seat.nameDouble(1 + Math.floor(Math.random() * 6));
  const legal = plays(decision.plays!);
  return seat.play(legal[Math.floor(Math.random() * legal.length)]!);
}
