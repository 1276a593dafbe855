import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { BgcoreError, v1, type Bgcore, type Update, type WatchOptions } from "@bgcore/client";
import { fake, QUICK, refusal, tooOften, unavailable } from "./fake.js";

type Message = MessageInitShape<typeof v1.WatchTableResponseSchema>;

const snapshot = (revision: number): Message => ({ kind: { case: "snapshot", value: { state: { revision } } } });
const event = (revision: number, decision?: MessageInitShape<typeof v1.DecisionSchema>): Message => ({
  kind: { case: "event", value: { revision, state: { revision, ...(decision && { decision }) } } },
});
const heartbeat = (revision: number): Message => ({ kind: { case: "heartbeat", value: { revision } } });

/** A server whose watches send these, one list after the other; an error at the end of a list breaks it. */
function watched(...lists: (Message | Error)[][]): { bgcore: Bgcore; asked: (number | undefined)[] } {
  const asked: (number | undefined)[] = [];
  const bgcore = fake({
    async *watchTable({ afterRevision }) {
      asked.push(afterRevision);
      for (const message of lists.shift() ?? [unavailable()]) {
        if (message instanceof Error) throw message;
        yield message;
      }
    },
  });
  return { bgcore, asked };
}

async function take(bgcore: Bgcore, count: number, options: WatchOptions = {}): Promise<string[]> {
  const seen: string[] = [];
  const told = ({ kind, revision }: Update) => `${kind} ${revision}`;
  for await (const update of bgcore.table("t").watch(options)) {
    if (seen.push(told(update)) === count) break;
  }
  return seen;
}

test("a watch goes on after the last event when the connection breaks, and tells nothing twice", async () => {
  const { bgcore, asked } = watched(
    [snapshot(3), event(4), heartbeat(4), unavailable()],
    [event(4), event(5)], // ends properly, as when the server stops
    [unavailable()],
    [event(6)],
  );
  assert.deepEqual(await take(bgcore, 4), ["snapshot 3", "event 4", "event 5", "event 6"]);
  assert.deepEqual(asked, [undefined, 4, 5, 5]);
});

test("a watch may start after a known revision, 0 too", async () => {
  const { bgcore, asked } = watched([event(1)]);
  assert.deepEqual(await take(bgcore, 1, { after: 0 }), ["event 1"]);
  assert.deepEqual(asked, [0]);
});

test("where the events in between are gone, a snapshot comes", async () => {
  const { bgcore, asked } = watched(
    [event(8), unavailable()],
    [refusal(Code.OutOfRange, "REVISION_GONE")],
    [snapshot(900)],
  );
  assert.deepEqual(await take(bgcore, 2, { after: 7 }), ["event 8", "snapshot 900"]);
  assert.deepEqual(asked, [7, 8, undefined]);
});

test("a revision that the caller got wrong is his error", async () => {
  const { bgcore } = watched([refusal(Code.OutOfRange, "REVISION_NOT_REACHED")]);
  await assert.rejects(take(bgcore, 1, { after: 99 }), { name: "BgcoreError", reason: "REVISION_NOT_REACHED" });
});

test("a refusal ends a watch", async () => {
  const { bgcore, asked } = watched([refusal(Code.NotFound, "NO_SUCH_TABLE")]);
  await assert.rejects(take(bgcore, 1), { code: Code.NotFound });
  assert.equal(asked.length, 1);
});

test("patience ends", async () => {
  const { bgcore, asked } = watched([snapshot(1)]);
  await assert.rejects(take(bgcore, 2), (error) => error instanceof BgcoreError && error.code === Code.Unavailable);
  assert.equal(asked.length, 1 + QUICK.attempts);
});

test("silence counts as a broken connection", async () => {
  let calls = 0;
  const bgcore = fake({
    async *watchTable(_, { signal }) {
      if (++calls > 1) return yield event(2);
      yield snapshot(1);
      await new Promise((_, reject) => signal.addEventListener("abort", reject));
    },
  });
  assert.deepEqual(await take(bgcore, 2, { silenceMs: 20 }), ["snapshot 1", "event 2"]);
});

test("a signal, and closing the client, end a watch without an error", async () => {
  for (const end of ["signal", "close"]) {
    const controller = new AbortController();
    const bgcore = fake({
      async *watchTable(_, { signal }) {
        yield snapshot(1);
        await new Promise((_, reject) => signal.addEventListener("abort", reject));
      },
    });
    const seen: number[] = [];
    for await (const { revision } of bgcore.table("t").watch({ signal: controller.signal })) {
      seen.push(revision);
      setTimeout(() => (end === "signal" ? controller.abort() : bgcore.close()), 5);
    }
    assert.deepEqual(seen, [1], end);
  }
});

test("decisions are those of the seat, until there are none", async () => {
  const { WHITE, BLACK, UNSPECIFIED } = v1.Seat;
  const { bgcore } = watched([
    event(1, { seat: UNSPECIFIED }),
    event(2, { seat: BLACK }),
    event(3, { seat: WHITE }),
    event(4),
  ]);
  const seen: (number | undefined)[] = [];
  for await (const { seat } of bgcore.table("t").seat(WHITE, "x").decisions()) seen.push(seat.revision);
  assert.deepEqual(seen, [1, 3]);
});

test("events that were compacted are a snapshot from the first", async () => {
  const { bgcore, asked } = watched([refusal(Code.OutOfRange, "EVENTS_COMPACTED")], [snapshot(900), event(901)]);
  assert.deepEqual(await take(bgcore, 2, { after: 7 }), ["snapshot 900", "event 901"]);
  assert.deepEqual(asked, [7, undefined]);
});

test("a watch that is one too many waits for room", async () => {
  const { bgcore, asked } = watched([tooOften(2)], [snapshot(3)]);
  assert.deepEqual(await take(bgcore, 1), ["snapshot 3"]);
  assert.equal(asked.length, 2);
});

test("decisions go on through a rematch, until the table is closed", async () => {
  const { WHITE, BLACK } = v1.Seat;
  const closed: Message = { kind: { case: "event", value: { revision: 6, state: { revision: 6, closed: {} } } } };
  for (const rematches of [true, false]) {
    const list = [event(1, { seat: WHITE }), event(2), event(3), event(4, { seat: WHITE }), event(5, { seat: BLACK }), closed];
    const { bgcore } = watched(list);
    const seen: (number | undefined)[] = [];
    for await (const { seat } of bgcore.table("t").seat(WHITE, "x").decisions({ rematches })) seen.push(seat.revision);
    assert.deepEqual(seen, rematches ? [1, 4] : [1]);
  }
});
