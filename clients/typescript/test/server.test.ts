// Against a real server, whose address is in BGCORE_ADDRESS.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import {
  Batch,
  BgcoreError,
  checkDice,
  Code,
  connect,
  house,
  packPositions,
  plays,
  rotation,
  v1,
  type Choice,
  type Seat,
} from "@bgcore/client";

const address = process.env.BGCORE_ADDRESS;

describe("against a server", { skip: address ? false : "BGCORE_ADDRESS names no server" }, () => {
  const bgcore = connect(address ?? "127.0.0.1:1");
  after(() => bgcore.close());

  const start = async (variant: string): Promise<v1.Position> => {
    const { variant: found } = await bgcore.variants.getVariant({ id: variant });
    return found!.start!;
  };

  const kitchen = house("western", {
    title: "Kitchen table",
    axes: { bear_off: "exact", cube: false },
    start: { 24: 2, 23: 2, 13: 4, 8: 3, 6: 4 },
  });

  /** Plays whatever the server lists; gives the places of the games that were on in a rotation. */
  const playToTheEnd = async (me: Seat): Promise<Set<number>> => {
    const seen = new Set<number>();
    const decide = ({ decision, seat }: Choice): Promise<unknown> => {
      const may = (kind: v1.ActionKind) => decision.kinds.includes(kind);
      if (may(v1.ActionKind.THROW)) return seat.throw();
      if (may(v1.ActionKind.NEXT_GAME)) return seat.nextGame();
      if (may(v1.ActionKind.ROLL)) return seat.roll();
      if (may(v1.ActionKind.NAME_DOUBLE)) return seat.nameDouble(6);
      if (may(v1.ActionKind.ANSWER_RESIGNATION)) return seat.answerResignation(true);
      return seat.play(plays(decision.plays!)[0]!);
    };
    for await (const choice of me.decisions()) {
      seen.add(choice.state.match!.rotationIndex);
      await decide(choice).catch((error: BgcoreError) => {
        if (!error.stale) throw error; // the bot was quicker
      });
    }
    return seen;
  };

  for (const [name, games, fewest] of [
    ["house rules", { variant: kitchen, options: { match_length: 2 } }, 1],
    ["house rules among the games of a rotation", { rotation: rotation([kitchen, "acey-deucey", "tavla"]) }, 2],
    ["a rotation of the server", { rotation: "tavli", options: { match_length: 3 } }, 2],
  ] as const) {
    test(`a match of ${name} is played to its end, and its record replays`, async () => {
      const table = await bgcore.createTable({ ...games, black: { bot: "greedy" } });
      const seen = await playToTheEnd(await table.join({ name: "Ann" }));
      assert.ok(seen.size >= fewest, `${seen.size} games`);
      const told = await table.get();
      const { winner } = told.state!.match!;
      assert.notEqual(winner, v1.Seat.UNSPECIFIED);
      if (fewest === 1) {
        const { value } = told.table!.variant!.kind;
        assert.ok(typeof value === "object" && value.title === "Kitchen table" && value.start!.points[23] === 2);
      }
      const { matches } = await bgcore.rules.replayMatch({ text: (await table.export()).text });
      assert.deepEqual([matches[0]!.winner, matches[0]!.faults], [winner, []]);
    });
  }

  test("every fault of house rules is named", async () => {
    const wrong = house("western", {
      id: "tavla",
      axes: { contcat: "pin", gammon_value: 9 },
      start: { 24: 20, 30: 1 },
    });
    await assert.rejects(bgcore.createTable({ variant: wrong }), (error: BgcoreError) => {
      assert.equal(error.code, Code.InvalidArgument);
      assert.deepEqual(error.violations.map(({ subject }) => subject).sort(), [
        'variant.spec.axes["contcat"]',
        'variant.spec.axes["gammon_value"]',
        "variant.spec.id",
        "variant.spec.start",
        "variant.spec.start.points[30]",
      ]);
      return error.violations.every(({ description }) => description);
    });
  });

  test("variants are listed and described", async () => {
    const { variants } = await bgcore.variants.listVariants({});
    const ids = variants.map(({ id }) => id);
    for (const id of ["western", "tavla", "plakoto", "gul-bara"]) assert.ok(ids.includes(id), id);
    assert.equal((await bgcore.variants.getServerInfo({})).bots.includes("greedy"), true);
  });

  test("a batch lists what single calls list", async () => {
    const variant = { kind: { case: "id", value: "western" } } as const;
    const position = { ...(await start("western")), onRoll: v1.Seat.BLACK };
    const positions = packPositions([position, position]);
    const dice = new Uint8Array([3, 1, 6, 6]);
    const found = new Batch(await bgcore.rules.batchListPlays({ variant, positions, dice, boards: true }));
    assert.equal(found.length, 2);
    for (const [index, roll] of [[3, 1], [6, 6]].entries()) {
      const single = await bgcore.rules.listPlays({ variant, position, dice: roll, view: v1.PlayView.FULL });
      const plain = found.plays(index).map(({ steps, after }) => ({ steps: steps.map(({ target }) => target), after }));
      const expected = plays(single.plays!).map(({ steps, after }) => ({ steps: steps.map(({ target }) => target), after }));
      assert.deepEqual(plain, expected);
    }
  });

  test("plays are listed, with texts and boards", async () => {
    const position = { ...(await start("western")), onRoll: v1.Seat.WHITE };
    const answer = await bgcore.rules.listPlays({
      variant: { kind: { case: "id", value: "western" } },
      position,
      dice: [3, 1],
      view: v1.PlayView.FULL,
    });
    const found = plays(answer.plays!);
    assert.equal(found.length, 16);
    const point = found.find(({ text }) => text === "8/5 6/5");
    assert.ok(point, found.map(({ text }) => text).join(", "));
    assert.equal(point.after!.mover.points[4], 2);
    for (const { after } of found) {
      const { points, bar, off } = after!.mover;
      assert.equal(points.reduce((sum, checkers) => sum + checkers, bar + off), 15);
    }
  });

  test("a play that is not legal has a reason", async () => {
    const answer = await bgcore.rules.checkPlay({
      variant: { kind: { case: "id", value: "western" } },
      position: { ...(await start("western")), onRoll: v1.Seat.WHITE },
      dice: [5, 1],
      play: { form: { case: "text", value: "24/19 6/5" } },
    });
    assert.deepEqual([answer.legal, answer.reason, answer.failingStep], [false, "POINT_CLOSED", 0]);
  });

  test("errors carry reason and metadata over the wire", async () => {
    const wrong = bgcore.createTable({ variant: "no-such-game" });
    await assert.rejects(wrong, (error: BgcoreError) => {
      assert.equal(error.code, Code.NotFound);
      assert.match(error.reason, /^[A-Z_]+$/);
      assert.equal(error.metadata.value, "no-such-game");
      return true;
    });
  });

  test("two seats at a board of their own: dice, tokens, request ids, a cube, a resignation", async () => {
    const table = await bgcore.createTable({
      variant: "western",
      options: { match_length: 3 },
      diceMode: v1.DiceMode.MANUAL,
    });
    const white = await table.join({ name: "Ann" });
    const black = await table.join({ name: "Bob" });
    assert.deepEqual([white.side, black.side], [v1.Seat.WHITE, v1.Seat.BLACK]);

    const thrown = await white.throw([3, 1]);
    assert.equal(thrown.state!.decision!.seat, v1.Seat.WHITE);
    await assert.rejects(white.play("24/18 24/23"), { code: Code.FailedPrecondition, reason: "NUMBER_NOT_ROLLED" });
    await assert.rejects(black.play("8/5 6/5"), (error) => error instanceof BgcoreError);
    const forged = table.seat(v1.Seat.WHITE, black.token);
    await assert.rejects(forged.play("8/5 6/5"), { code: Code.PermissionDenied });
    await assert.rejects(white.at(1).play("8/5 6/5"), { stale: true });

    const once = await white.at(thrown.state!.revision).play("8/5 6/5", { requestId: "a-request-of-mine" });
    const again = await white.at(thrown.state!.revision).play("8/5 6/5", { requestId: "a-request-of-mine" });
    assert.equal(once.lastRevision, thrown.lastRevision + 1);
    assert.equal(again.lastRevision, once.lastRevision);

    await black.double({ validateOnly: true });
    await black.double();
    const taken = await white.take();
    assert.deepEqual([taken.state!.game!.cube!.value, taken.state!.game!.cube!.owner], [2, v1.Seat.WHITE]);
    const rolled = await black.roll([6, 5]);
    const lover = plays(rolled.state!.decision!.plays!);
    await black.play(lover[0]!);
    await white.resign({ level: v1.Level.SINGLE });
    const end = (await table.get()).state!;
    const { state } = end.game!.phase === v1.Phase.ANSWER_RESIGNATION ? await black.answerResignation(true) : { state: end };
    assert.equal(state!.match!.blackScore, 2);
    await white.nextGame();

    const revisions: number[] = [];
    for await (const { revision } of table.events()) revisions.push(revision);
    assert.deepEqual(revisions, Array.from(revisions, (_, index) => index + 1));

    const watched: number[] = [];
    for await (const update of table.watch({ after: 0 })) {
      watched.push(update.revision);
      if (update.revision === revisions.length) break;
    }
    assert.deepEqual(watched, revisions);
  });

  test("committed dice can be checked by the player, and the match is written as a record", async () => {
    const table = await bgcore.createTable({
      variant: "western",
      preset: "tournament",
      diceMode: v1.DiceMode.COMMITTED,
    });
    const ann = await table.join({ name: "Ann" });
    const bob = await table.join({ name: "Bob", diceSeed: "Bob's own" });
    await ann.throw();
    await assert.rejects(table.verifyDice(), { code: Code.FailedPrecondition });
    await bob.resignMatch();
    const { legal, dice, throws } = await table.verifyDice();
    assert.deepEqual([legal, dice!.blackSeed, throws.length > 0], [true, "Bob's own", true]);
    for (const seat of [ann, bob]) assert.deepEqual(await checkDice(dice!, table.events(), seat), []);

    const { text } = await table.export();
    const { matches } = await bgcore.rules.replayMatch({ text });
    assert.deepEqual([matches[0]!.winner, matches[0]!.faults], [v1.Seat.WHITE, []]);
  });

  test("a match goes on from a record", async () => {
    const diceMode = v1.DiceMode.MANUAL;
    const first = await bgcore.createTable({ variant: "tavla", preset: "jpgames", diceMode });
    const ann = await first.join();
    await first.join();
    const { state } = await ann.throw([3, 1]);
    const second = await bgcore.createTable({ record: (await first.export()).text, diceMode });
    assert.deepEqual((await second.get()).state!.game, state!.game);
  });

  test("a private table is kept to those who were invited", async () => {
    const table = await bgcore.createTable({
      variant: "western",
      diceMode: v1.DiceMode.MANUAL,
      visibility: v1.Visibility.PRIVATE,
    });
    const { invitation, spectator } = table.secrets!;
    await assert.rejects(bgcore.table(table.id).get(), { code: Code.NotFound });
    await assert.rejects(bgcore.table(table.id, spectator).join(), { code: Code.PermissionDenied });
    const left = await bgcore.table(table.id, invitation).join({ side: v1.Seat.WHITE });
    await left.leave();
    await assert.rejects(left.leave(), { code: Code.NotFound }); // the token opens nothing any more
    const { side } = await table.join({ side: v1.Seat.WHITE });
    await table.kick(side);
    const ann = await table.join({ side });
    const bob = await table.join();

    const thrown = await ann.throw([3, 1]);
    await ann.play("8/5 6/5");
    const asked = await ann.undo();
    assert.ok(bob.may(asked.state!).includes(v1.ActionKind.ANSWER_UNDO));
    const undone = await bob.answerUndo(true);
    assert.deepEqual(undone.state!.game, thrown.state!.game);
    // Sat down again by the token alone, she may look, too.
    for await (const { decision } of bgcore.table(table.id).seat(side, ann.token).decisions()) {
      assert.deepEqual(decision.kinds.includes(v1.ActionKind.PLAY), true);
      break;
    }
    await ann.void();
    await bob.void();
    for await (const { state } of bgcore.table(table.id, spectator).watch()) {
      assert.equal(state.closed!.reason, v1.CloseReason.AGREED);
      break;
    }
    await table.close("already");
  });

  test("a watch goes on through a rematch, and each match has its own dice", async () => {
    const table = await bgcore.createTable({
      variant: "tavla",
      diceMode: v1.DiceMode.COMMITTED,
      black: { bot: "greedy" },
    });
    const first = await table.join();
    await first.resignMatch();
    const { seat: second, answer } = await first.rematch({ variant: "western", options: { match_length: 1 } });
    assert.deepEqual([answer.state!.matchNumber, second.noted!.matchNumber], [2, 2]);
    await second.resignMatch();
    const last = (await table.get()).state!.revision;
    const [revisions, started]: number[][] = [[], []];
    for await (const update of table.watch({ after: 0 })) {
      revisions!.push(update.revision);
      const kind = update.kind === "event" ? update.event.kind : undefined;
      if (kind?.case === "matchStarted") started!.push(kind.value.matchNumber);
      if (update.revision === last) break;
    }
    assert.deepEqual(revisions, Array.from({ length: last }, (_, index) => index + 1));
    assert.deepEqual(started, [2]);
    for (const [matchNumber, seat] of [[1, first], [2, second]] as const) {
      const { dice, legal } = await table.verifyDice({ matchNumber });
      assert.deepEqual([legal, await checkDice(dice!, table.events(), seat)], [true, []]);
      const { text } = await table.export(v1.MatchFormat.RECORD, { matchNumber });
      assert.equal(text.includes('"western"'), matchNumber === 2);
    }
  });

  test("a watch that is broken off leaves nothing behind", async () => {
    const table = await bgcore.createTable({ variant: "tavla" });
    for await (const update of table.watch()) {
      assert.equal(update.kind, "snapshot");
      break;
    }
    const controller = new AbortController();
    for await (const update of table.watch({ signal: controller.signal })) {
      assert.equal(update.kind, "snapshot");
      setTimeout(() => controller.abort(), 20);
    }
  });
});
