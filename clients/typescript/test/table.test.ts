// What a table's maker, its players and its host do beside the game: secrets, accounts, rematches, leaving.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Code } from "@connectrpc/connect";
import { v1 } from "@bgcore/client";
import { fake, refusal, tooOften, unavailable } from "./fake.js";

const { WHITE, BLACK } = v1.Seat;
const SECRETS = { host: "h", invitation: "i", spectator: "s" };
const createTable = () => ({ table: { id: "t" }, hostToken: "h", invitationToken: "i", spectatorToken: "s" });

test("a new table keeps its secrets", async () => {
  const table = await fake({ createTable }).createTable({ variant: "tavla" });
  assert.deepEqual([table.id, table.token, table.secrets], ["t", "h", SECRETS]);
});

test("whatever is asked of a table shows its token", async () => {
  const shown: string[] = [];
  const bgcore = fake(
    {
      joinTable: () => ({ seat: WHITE }),
      listEvents: () => ({}),
      exportMatch: () => ({}),
      verifyDice: () => ({}),
      leaveTable: () => ({}),
      closeTable: () => ({}),
      async *watchTable() {
        yield { kind: { case: "snapshot", value: { state: { revision: 1 } } } };
      },
    },
    shown,
  );
  for (const token of ["h", "i", ""]) {
    shown.length = 0;
    const table = bgcore.table("t", token);
    await table.get();
    await table.join();
    for await (const _ of table.events());
    await table.export();
    await table.verifyDice();
    for await (const _ of table.watch()) break;
    await table.kick(BLACK);
    await table.close("enough");
    assert.deepEqual(shown, Array(9).fill(token));
  }
});

test("an account is shown where no other token is, anew for each attempt", async () => {
  const shown: string[] = [];
  let [given, calls] = [0, 0];
  let made: v1.CreateTableRequest | undefined;
  const plain = fake(
    {
      createTable: (request) => {
        made = request;
        if (++calls === 1) throw unavailable();
        return createTable();
      },
      act: () => ({}),
    },
    shown,
  );
  const bgcore = plain.withAccount(async () => `a.b.${++given}`);
  const table = await bgcore.createTable({ variant: "tavla", white: { player: "Ann", account: "user-7" } });
  assert.deepEqual([table.token, table.secrets], ["", SECRETS]);
  assert.equal((made!.white!.kind.value as v1.Player).account, "user-7");
  await table.seat(WHITE, "").roll();
  await table.seat(WHITE, "secret").roll();
  await bgcore.table("t", "i").get();
  await plain.table("t").get();
  assert.deepEqual(shown, ["a.b.1", "a.b.2", "a.b.3", "secret", "i", ""]);
});

test("who leaves knows after a lost answer that the seat is free", async () => {
  for (const code of [Code.PermissionDenied, Code.NotFound]) {
    let calls = 0;
    const seat = fake({
      leaveTable: () => {
        throw ++calls === 1 ? unavailable() : refusal(code, "TOKEN_UNKNOWN");
      },
    })
      .table("t")
      .seat(WHITE, "secret");
    await seat.leave();
    assert.equal(calls, 2);
    await assert.rejects(seat.leave(), { code });
  }
});

test("what might send somebody else away is not repeated", async () => {
  let calls = 0;
  const table = fake({
    leaveTable: () => {
      calls++;
      throw unavailable();
    },
  }).table("t", "h");
  await assert.rejects(table.kick(BLACK), { code: Code.Unavailable });
  await assert.rejects(table.seat(WHITE, "a.b.c").leave(), { code: Code.Unavailable });
  await assert.rejects(table.seat(WHITE, "").leave(), { code: Code.Unavailable });
  assert.equal(calls, 3);
});

test("closing is repeated, as it changes nothing more", async () => {
  const notes: string[] = [];
  const bgcore = fake({
    closeTable: ({ note }) => {
      if (notes.push(note) === 1) throw unavailable();
      return {};
    },
  });
  await bgcore.table("t", "h").close("enough");
  assert.deepEqual(notes, ["enough", "enough"]);
});

test("who comes too often comes again when there is room, unless that is too late", async () => {
  let [calls, wait] = [0, 3];
  const table = fake({
    getTable: () => {
      if (++calls === 1) throw tooOften(wait);
      return {};
    },
  }).table("t");
  await table.get();
  assert.equal(calls, 2);
  [calls, wait] = [0, 3_600_000];
  await assert.rejects(table.get(), { code: Code.ResourceExhausted, retryAfterMs: 3_600_000 });
  assert.equal(calls, 1);
});

/** A server with committed dice whose second match is over, and what is asked of it. */
function over(firstRevision: number, matchNumber: number, sent: v1.ActRequest[] = []) {
  return fake({
    getTable: () => ({
      table: { diceMode: v1.DiceMode.COMMITTED },
      state: { revision: 9, matchNumber: 2, nextCommitment: "c3" },
    }),
    act: (request) => {
      sent.push(request);
      const started = { kind: { case: "matchStarted", value: { matchNumber } } } as const;
      return { firstRevision, events: matchNumber === 3 ? [{}, started] : [{}], state: { matchNumber } };
    },
  }).table("t");
}

test("another match has a note of its own", async () => {
  for (const now of [2, 3]) await anotherMatch(now); // 3: it has begun, as the other had asked before
});

async function anotherMatch(now: number): Promise<void> {
  const sent: v1.ActRequest[] = [];
  const seat = over(10, now, sent).seat(WHITE, "secret");
  const { seat: again, answer } = await seat.rematch({ variant: "tavla", options: { match_length: 3 } });
  const asked = sent[0]!.action!.kind.value as v1.RematchAction;
  assert.deepEqual(again.noted, { seed: asked.diceSeed, commitment: "c3", matchNumber: 3 });
  assert.deepEqual([asked.diceSeed.length, asked.variant!.kind.value, answer.firstRevision], [64, "tavla", 10]);
  const checked = await seat.rematch({ validateOnly: true });
  assert.equal(checked.seat, seat);
  assert.equal((sent[1]!.action!.kind.value as v1.RematchAction).variant, undefined);
}

test("who repeats a rematch notes no commitment of afterwards", async () => {
  const { seat } = await over(8, 1).seat(WHITE, "x").rematch({ requestId: "mine", diceSeed: "my own" });
  assert.deepEqual(seat.noted, { seed: "my own", commitment: "", matchNumber: 2 });
});

test("at other dice no seed is sent", async () => {
  let asked: v1.RematchAction | undefined;
  const bgcore = fake({
    getTable: () => ({ state: { matchNumber: 1 } }),
    act: ({ action }) => {
      asked = action!.kind.value as v1.RematchAction;
      return {};
    },
  });
  const seat = bgcore.table("t").seat(WHITE, "x");
  assert.equal((await seat.rematch()).seat, seat);
  assert.equal(asked!.diceSeed, "");
});
