// Derives the deals of lastcard again, from what is revealed when a match is over. Nothing but Node is needed.
//
//   node deal.mjs games.jsonl    compares all chance of game records with their seeds; exits with 1 where one differs
//   node deal.mjs --derive       reads {"seed", "match_id", "nonces", "meeting", "deal", "round"} a line from standard
//                                input and writes key, decks, order and wheel of each
//
// How it works is told in docs/fairness.md.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const SCHEME = "lastcard/1";
const SEGMENTS = ["UNO_SPIN", "DISCARD_COLOR", "DRAW_BLUE", "DRAW_RED", "WAR", "DISCARD_NUMBER", "SHOW_HAND",
  "TRADE_HANDS", "ALMOST_UNO"];
const COLORS = ["R", "Y", "G", "B"];
const RANKS = [..."0123456789SVD"];

// ---- cards: decks and their canonical order -------------------------------------------------------------------------

const repeated = (card, copies) => Array(copies).fill(card);
const colored = (face) => COLORS.map((color) => color + face);

/** Place of every card of the UNO family: colour, then rank, a swirled card behind the plain one; then the wilds. */
const UNO_ORDER = [...COLORS.flatMap((color) => RANKS.flatMap((rank) =>
  "12345".includes(rank) ? [color + rank, `${color}${rank}*`] : [color + rank])), "W", "WC", "WX", "W4"];
/** Place of every card of DOS: by face, within a face by colour; Wild DOS before the Wild #. */
const DOS_ORDER = [..."1 3 4 5 6 7 8 9 10".split(" ").flatMap(colored), "W2", ...colored("#")];

/** The cards in canonical order, copies together. */
export const canonical = (cards, order) => [...cards].sort((a, b) => order.indexOf(a) - order.indexOf(b));

const unoCopies = (card, swirls) => {
  if (card === "W" || card === "W4") return 4;
  if (card === "WC" || card === "WX") return 0;
  if (card.endsWith("*")) return swirls ? 1 : 0;
  return card[1] === "0" || (swirls === "inside" && "12345".includes(card[1])) ? 1 : 2;
};
const unoDeck = (swirls) => UNO_ORDER.flatMap((card) => repeated(card, unoCopies(card, swirls)));

/** The whole deck of a game in canonical order; options as in its record. */
export function deckOf(variant, options = {}) {
  switch (variant) {
    case "UNO": return unoDeck("");
    case "SPIN": return unoDeck(options.spin_cards_extra ? "beside" : "inside");
    case "DUO": {
      const extra = options.extra_cards === "REMOVED" ? [] : ["WC", "WC", "WC", "WX"];
      return canonical([...unoDeck(""), ...extra], UNO_ORDER);
    }
    case "DOS": return DOS_ORDER.flatMap((card) =>
      repeated(card, card === "W2" ? 12 : ["1", "3", "4", "5"].includes(card.slice(1)) ? 3 : 2));
    default: throw new Error(`there is no variant ${variant}`);
  }
}

// ---- the stream -----------------------------------------------------------------------------------------------------

/** The key of a match: the seed with its id and the nonces of its bots; a nonce that never came is null. */
export function keyOf(seed, matchId, nonces) {
  const hash = createHash("sha256").update(SCHEME).update(Buffer.from(seed, "hex")).update(matchId, "ascii");
  for (const nonce of nonces) hash.update(nonce === null ? Buffer.alloc(16) : Buffer.from(nonce, "hex"));
  return hash.digest();
}

const u32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

/** The bytes of SHAKE-256, as many as somebody takes: a longer output begins with the shorter one. */
function* bytesOf(input) {
  for (let from = 0, length = 512; ; from = length, length *= 2) {
    yield* createHash("shake256", { outputLength: length }).update(input).digest().subarray(from);
  }
}

/** A number below m: bytes beyond the last whole multiple of m are passed over, so that all are equally likely. */
function below(bytes, m) {
  for (;;) {
    const byte = bytes.next().value;
    if (byte < 256 - (256 % m)) return byte % m;
  }
}

function shuffled(bytes, list) {
  const found = [...list];
  for (let i = found.length - 1; i > 0; i--) {
    const j = below(bytes, i + 1);
    [found[i], found[j]] = [found[j], found[i]];
  }
  return found;
}

/** All chance of one round, each purpose with a counter of its own. */
export class Chance {
  #prefix;
  #uses = {};

  constructor(key, meeting, deal, round) {
    this.#prefix = Buffer.concat([key, u32(meeting), u32(deal), u32(round)]);
  }

  #bytes(purpose) {
    const n = this.#uses[purpose] ?? 0;
    this.#uses[purpose] = n + 1;
    return bytesOf(Buffer.concat([this.#prefix, Buffer.from(purpose.padEnd(16, "\0")), u32(n)]));
  }

  /** A pile, top first: the last card of a shuffled list is the top. */
  deck(cards) { return shuffled(this.#bytes("deck"), cards).reverse(); }
  reshuffle(cards) { return shuffled(this.#bytes("reshuffle"), cards).reverse(); }
  order(seats) { return shuffled(this.#bytes("order"), [...Array(seats).keys()]); }
  wheel() { return below(this.#bytes("wheel"), SEGMENTS.length); }
  dealer(seats) { return below(this.#bytes("dealer"), seats); }
}

// ---- records --------------------------------------------------------------------------------------------------------

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function followsFrom(chance, kind, outcome, record) {
  const order = record.variant === "DOS" ? DOS_ORDER : UNO_ORDER;
  switch (kind) {
    case "RESHUFFLE": return chance.reshuffle(canonical(outcome, order));
    case "ORDER": return chance.order(record.seats);
    case "WHEEL": return SEGMENTS[chance.wheel()];
    default: throw new Error(`there is no chance ${kind}`);
  }
}

/** What in a record does not follow from its seed, in words; undefined if everything does. */
export function difference(record) {
  const { fairness } = record;
  if (fairness?.scheme !== SCHEME) return "it has no seed";
  const seed = Buffer.from(fairness.seed, "hex");
  if (createHash("sha256").update(seed).digest("hex") !== fairness.commitment) return "the commitment is another seed's";
  const key = keyOf(fairness.seed, fairness.match_id, fairness.nonces);
  for (const [index, round] of record.rounds.entries()) {
    const chance = new Chance(key, fairness.meeting, fairness.deal, index);
    if (!equal(chance.deck(deckOf(record.variant, record.options)), round.deck)) return `round ${index + 1}: the deck`;
    for (const [at, [kind, outcome]] of round.chance.entries()) {
      if (!equal(followsFrom(chance, kind, outcome, record), outcome)) return `round ${index + 1}: chance ${at + 1}, ${kind}`;
    }
  }
  return undefined;
}

/** Key, decks of all games, the first order of four seats, and four spins of the wheel, for some counters. */
export function derived({ seed, match_id: matchId, nonces, meeting = 0, deal = 0, round = 0 }) {
  const key = keyOf(seed, matchId, nonces);
  const chance = () => new Chance(key, meeting, deal, round);
  const spun = chance();
  return {
    key: key.toString("hex"),
    decks: Object.fromEntries(["UNO", "SPIN", "DUO", "DOS"].map((variant) => [variant, chance().deck(deckOf(variant))])),
    order: chance().order(4),
    wheel: Array.from({ length: 4 }, () => spun.wheel()),
    dealer: chance().dealer(4),
  };
}

function main(word) {
  let text;
  try {
    text = readFileSync(word === "--derive" ? 0 : word, "utf8");
  } catch (error) {
    console.error(`${word} cannot be read (${error.code}); name a file of game records, as lastcard game export writes them`);
    return 2;
  }
  const lines = text.split("\n").filter((line) => line.trim());
  if (word === "--derive") {
    for (const line of lines) console.log(JSON.stringify(derived(JSON.parse(line))));
    return 0;
  }
  const wrong = lines.map((line) => difference(JSON.parse(line)));
  wrong.forEach((what, at) => what && console.log(`game ${at + 1}: ${what}`));
  console.log(`${wrong.filter((what) => !what).length} of ${wrong.length} games follow from their seeds`);
  return wrong.some(Boolean) ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.length !== 3) {
    console.error("usage: node deal.mjs FILE | --derive");
    process.exit(2);
  }
  process.exitCode = main(process.argv[2]);
}
