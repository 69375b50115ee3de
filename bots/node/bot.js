// A whole bot in JavaScript, on nothing but the protocol: node bot.js, with LASTCARD_TOKEN or LASTCARD_TOKEN_FILE.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [{ default: grpc }, { loadSync }] = await Promise.all([load("@grpc/grpc-js"), load("@grpc/proto-loader")]);
const proto = fileURLToPath(new URL("../../proto", import.meta.url));
if (!existsSync(proto)) {
  console.error(`the protocol is not at ${proto}; keep this file two folders below proto/ or change the line above`);
  process.exit(2);
}
const { PlayService } = grpc.loadPackageDefinition(
  loadSync("lastcard/v1/play.proto", { includeDirs: [proto], longs: String, defaults: true, oneofs: true }),
).lastcard.v1;
const { LASTCARD_SERVER = "127.0.0.1:7410", LASTCARD_TOKEN, LASTCARD_TOKEN_FILE } = process.env;
const token = LASTCARD_TOKEN || readToken(LASTCARD_TOKEN_FILE);
const instance = randomBytes(16).toString("hex"); // kept over reconnects
const orders = { catch: "STANDING_ORDER_ALWAYS", challenge: "STANDING_ORDER_NEVER", lateCall: "STANDING_ORDER_ALWAYS" };
const hopeless = new Set([grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED, grpc.status.INVALID_ARGUMENT]);
hopeless.add(grpc.status.FAILED_PRECONDITION).add(grpc.status.UNIMPLEMENTED);

async function load(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const folder = fileURLToPath(new URL(".", import.meta.url));
    console.error(`${name} is not installed beside this file: type \`npm ci\` in ${folder}, with its package.json there`);
    process.exit(2);
  }
}

function readToken(file) {
  try {
    return readFileSync(file ?? "", "utf8").trim();
  } catch (error) {
    const found = file ? `LASTCARD_TOKEN_FILE names ${file}, which cannot be read (${error.code})` : "there is no token";
    console.error(`${found}; set LASTCARD_TOKEN or LASTCARD_TOKEN_FILE to what \`lastcard bot register\` gave you`);
    process.exit(2);
  }
}

// Options are byte columns; the dearest card goes first: wilds, then actions, then numbers.
const worth = (card) => (card > 52 ? 50 : card ? (card - 1) % 13 : -1);
const dearest = (cards) => cards.reduce((best, card, i) => (worth(card) > worth(cards[best]) ? i : best), 0);

function choose({ optionCard, minPicks, maxPicks }) {
  if (maxPicks < 2) return [dearest(optionCard)];
  return [...optionCard.keys()].slice(0, minPicks); // a list: as short as it may be
}

function answer({ round, act, decision }) {
  const began = performance.now();
  const picks = choose(decision);
  const thinkMs = Math.max(1, Math.ceil(performance.now() - began)); // 0 would say nothing of how long it thought
  return { round, act, picks, call: true, thinkMs };
}

let client, call, stopping = false;
const send = (message) => call.writableEnded || call.write(message);

function connect() {
  let wait = Math.random() * 5000;
  client = new PlayService(LASTCARD_SERVER, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  call = client.Play(metadata);
  call.write({ hello: { instance, version: "1", formats: ["uno-classic-2"], maxOpen: 64, sdk: "node", ...orders } });
  const beat = setInterval(() => send({ heartbeat: { stamp: Date.now() } }), 15_000);
  call.on("data", ({ turns, notices }) => {
    const starts = notices.filter((one) => one.matchStart).map((one) => one.matchStart.match);
    const nonces = starts.map((match) => ({ match, nonce: randomBytes(16) }));
    const answers = turns.filter((turn) => turn.decision).map(answer);
    if (answers.length || nonces.length) send({ answers, nonces });
    for (const { welcome, goingAway, replaced } of notices) {
      if (welcome) console.error(`playing as ${welcome.bot}`);
      if (replaced) wait = 60_000; // another process with this instance took over: no tug of war
      if (goingAway) { wait = goingAway.reconnectAfterMs; call.end(); } // the client half-closes first
    }
  });
  call.on("error", () => {}); // the status says it all
  call.on("status", ({ code, details }) => {
    clearInterval(beat);
    client.close();
    if (stopping) process.exit(130);
    console.error(`stream ended: ${grpc.status[code]} ${details}`);
    if (hopeless.has(code)) process.exit(2);
    setTimeout(connect, wait);
  });
}
process.on("SIGINT", () => { stopping = true; call.end(); });
connect();
