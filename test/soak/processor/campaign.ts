import { between, pickOne, seeded, times } from '../../support/seeded.ts';
import { call } from '../../support/shop/api.ts';
import { fieldGuide, support } from '../../support/shop/shop.ts';
import { behaviours, rareMoments } from './behaviours.ts';
import { Tab } from './buyer.ts';
import { buyersFor, crashesOf, missingOf, unmetFaults } from './happenings.ts';
import { type AskedRefund, attend } from './merchant.ts';
import { type ProcessorWorld, startProcessorWorld } from './processor-world.ts';
import { minuteMs } from './simulated-time.ts';
import { judge, leads, type ProcessorVerdict } from './verdict.ts';

interface CampaignReport extends ProcessorVerdict {
  counts: Record<string, number>;
  deaths: Record<string, number>;
  /** How often a crash fell between two steps, as the design names them. */
  crashes: Record<string, number>;
  /** What was to happen in a campaign of full size, and did not. */
  missing: string[];
  /** The faults that a campaign of any size meets, and this one did not. */
  unmet: string[];
  lines: string[];
}

/** With this number of checkouts, everything that can happen does happen. */
export const fullCampaign = 1_000;

interface Shelf {
  book: string;
  tip: string;
}

async function stock(): Promise<Shelf> {
  const add = async (body: object): Promise<string> => (await call('POST /products', { body })).body.product_id;
  const brand = await call('POST /brands', { body: { name: 'Maps', statement_descriptor: 'MAPS' } });
  return { book: await add({ ...fieldGuide, brand_id: brand.body.brand_id }), tip: await add(support) };
}

async function openCart({ book, tip }: Shelf, random: () => number) {
  const isTip = random() < 0.4;
  const productId = isTip ? tip : book;
  const body = { product_cart: [{ product_id: productId, quantity: isTip ? 1 : between(random, 1, 3) }] };
  const { session_id: sessionId } = (await call('POST /checkouts', { body })).body;
  const cents = between(random, 500, 9_999);
  return { sessionId, productId, ...(isTip ? { amount: (cents / 100).toFixed(2) } : {}) };
}

/** One buyer with a way of buying, and then what becomes of the sale. */
async function checkOut(
  world: ProcessorWorld,
  asked: AskedRefund[],
  shelf: Shelf,
  order: { name: string; seed: number },
) {
  const random = seeded(order.seed);
  const tab = new Tab(world, await openCart(shelf, random));
  world.count(`the buyer ${order.name}`);
  await tab.fillIn();
  await behaviours[order.name]?.(world, tab, random);
  await attend(world, asked, tab.cart.sessionId, random);
}

const buyersAtOnce = 8;

/** Reads the lists that others read, while payments are open. */
async function spy(world: ProcessorWorld, violations: string[]): Promise<void> {
  const isOpen = [...world.fake.account.sessions.values()].some(({ status }) => status === 'open');
  for (const path of ['/payments', '/webhook-events', '/refunds', '/disputes']) {
    const answer = await call(`GET ${path}`, { query: 'page_size=100' });
    if (answer.status !== 200) violations.push(`GET ${path} answered ${answer.status}`);
    if (leads(answer.text)) violations.push(`GET ${path} tells the processor's address`);
  }
  if (isOpen) world.count('times that all lists were read while payments were open');
}

/** Long enough for each retry of a webhook, a notification and a forgotten key. */
const quietRounds = 60;

async function untilQuiet(world: ProcessorWorld): Promise<void> {
  world.heal();
  for (let round = 0; round < quietRounds; round += 1) {
    await world.idle();
    world.fake.finish();
    await world.time.advance(minuteMs * Math.min(1_440, 2 ** Math.floor(round / 3)));
    await world.tick();
    await world.idle();
    if (world.post.waiting === 0 && (await world.due()).length === 0) return;
  }
}

interface Campaign {
  checkouts: number;
  /** The most checkouts, if those are not enough to meet each fault. */
  most?: number;
  seed: number;
}

/** How many buyers come more at a time, while a fault is not met. */
const moreBuyers = 10;

/** Sells to this number of buyers on bad days, waits until nothing is open, and compares the processor's ledger with our books. */
export async function runProcessorCampaign({ checkouts, most = checkouts, seed }: Campaign): Promise<CampaignReport> {
  const random = seeded(seed);
  const startedAt = performance.now();
  const world = await startProcessorWorld(random);
  const asked: AskedRefund[] = [];
  const spied: string[] = [];
  try {
    const shelf = await stock();
    const names = [...Object.keys(behaviours), ...rareMoments];
    const order = (among: readonly string[], index: number) => ({
      name: among[index % among.length] ?? '',
      seed: between(random, 1, 2 ** 31),
    });
    const orders = times(checkouts).map((index) => order(names, index));
    let sold = checkouts;
    for (let ticks = 0; orders.length > 0 || world.time.asleep > 0; ticks += 1) {
      for (const order of orders.splice(0, between(random, 1, buyersAtOnce)))
        world.time.begin(() => checkOut(world, asked, shelf, order));
      await world.time.settled();
      await world.tick();
      if (ticks % 10 === 0) await spy(world, spied);
      const longest = orders.length > 0 ? 5 : pickOne(random, [5, 60, 240, 480]);
      await world.idle();
      await world.time.advance(between(random, 1, longest) * minuteMs);
      const isOver = orders.length === 0 && world.time.asleep === 0;
      const unmet = isOver && sold < most ? unmetFaults(withRepetitions(world)) : [];
      if (unmet.length === 0) continue;
      orders.push(...times(moreBuyers).map((index) => order(buyersFor(unmet), index)));
      sold += moreBuyers;
    }
    await untilQuiet(world);
    const verdict = await judge(world, asked);
    const violations = [...spied, ...verdict.violations];
    const counts = withRepetitions(world);
    const { deaths } = world;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const simulatedDays = Math.round((world.time.now() - Date.parse('2026-11-23T09:00:00Z')) / 86_400_000);
    const head = `processor: seed ${seed}, ${sold} checkouts, ${simulatedDays} simulated days in ${seconds} s`;
    const crashes = crashesOf(counts, deaths);
    const missing = missingOf(counts, crashes);
    const unmet = unmetFaults(counts);
    const report = { violations, rows: verdict.rows, counts, deaths, crashes, missing, unmet };
    return { ...report, lines: [head, ...describe(report)] };
  } finally {
    await world.stop();
  }
}

function withRepetitions({ counts, fake }: ProcessorWorld): Record<string, number> {
  const keyed = fake.calls.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  return { ...counts, 'questions repeated under their key': keyed.length - new Set(keyed).size };
}

const sorted = (counts: Record<string, number>): string[] =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, times]) => `  ${String(times).padStart(6)}  ${name}`);

function describe({ counts, deaths, crashes, missing, rows, violations }: Omit<CampaignReport, 'lines'>): string[] {
  return [
    `rows: ${JSON.stringify(rows)}`,
    'what happened:',
    ...sorted(counts),
    'crash points:',
    ...sorted(crashes),
    ...(missing.length === 0 ? [] : [`too seldom: ${missing.join(', ')}`]),
    'where functions were killed:',
    ...sorted(deaths),
    violations.length === 0
      ? 'ledger and books agree, and I1–I11 hold'
      : `VIOLATED ${violations.length}:\n  ${violations.slice(0, 40).join('\n  ')}`,
  ];
}
