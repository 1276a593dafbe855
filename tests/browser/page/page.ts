// What a page does: list plays, be refused, watch a table, and act at it.
// ?server=URL&protocol=NAME, and &table=ID where it is to watch one.

import { BgcoreError, connect, plays, v1, type Seat, type WebOptions } from "@bgcore/client/web";

const wanted = new URLSearchParams(location.search);
const bgcore = connect(wanted.get("server")!, {
  protocol: wanted.get("protocol") as NonNullable<WebOptions["protocol"]>,
  retry: { attempts: 1 },
});

const line = (list: string, text: string) => {
  const item = document.createElement("li");
  item.textContent = text;
  document.getElementById(list)!.append(item);
};
const write = (place: string, value: unknown) => {
  document.getElementById(place)!.textContent = JSON.stringify(value);
};
const told = ({ code, reason, message, metadata }: BgcoreError) => ({ code, reason, message, metadata });

const opening = async () => {
  const { variant } = await bgcore.variants.getVariant({ id: "western" });
  const answer = await bgcore.rules.listPlays({
    variant: { kind: { case: "id", value: "western" } },
    position: { ...variant!.start!, onRoll: v1.Seat.WHITE },
    dice: [3, 1],
    view: v1.PlayView.TEXT,
  });
  for (const { text } of plays(answer.plays!)) line("plays", text!);
};

const refused = async () => {
  try {
    await bgcore.createTable({ variant: "no-such-game" });
  } catch (error) {
    write("refused", told(error as BgcoreError));
  }
};

const follow = async (table: string) => {
  for await (const update of bgcore.table(table).watch()) {
    line("updates", `${update.revision} ${update.kind === "event" ? update.event.kind.case : "snapshot"}`);
  }
};

// For whoever drives the page: a seat is taken, and kept here with its token.
let seat: Seat | undefined;
const sit = async () => {
  seat = await bgcore.table(wanted.get("table")!).join({ side: v1.Seat.WHITE, name: "page" });
};
const play = async (text: string) => {
  const { lastRevision } = await seat!.play(text);
  return lastRevision;
};
Object.assign(globalThis, { sit, play });

try {
  await opening();
  await refused();
  if (wanted.has("table")) await follow(wanted.get("table")!);
} catch (error) {
  write("failed", told(error as BgcoreError));
}
