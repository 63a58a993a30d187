import { parseArgs } from 'node:util';
import { percentile } from '../bench/measure.ts';
import { compareWithEmulator, describeComparison } from '../store/differential/differential.ts';
import { seeded, tally } from '../support/seeded.ts';
import { runFuzz } from './fuzz/fuzz.ts';
import { describeKills, killUnderLoad } from './kill-under-load.ts';
import { fullCampaign, runProcessorCampaign } from './processor/campaign.ts';
import { runRegisterCampaign } from './registers/campaign.ts';
import { runSale } from './sale/sale.ts';
import { check, type Verdict } from './soak-checks.ts';
import { makeTraffic, repeatKeyed, type Traffic } from './soak-traffic.ts';
import { type SoakWorld, startSoakWorld } from './soak-world.ts';

interface SoakOptions {
  seconds: number;
  seed: number;
  /** How many times faster functions go on after a pause. */
  pace?: number;
}

interface SoakReport extends Verdict {
  seed: number;
  seconds: number;
  lines: string[];
}

const minute = 60_000;

async function openDoors(world: SoakWorld): Promise<void> {
  for (const [index, receiver] of world.receivers.entries()) {
    const ask = async (method: string, path: string, body?: object) => {
      for (;;) {
        const headers = {
          authorization: `Bearer ${world.key}`,
          'content-type': 'application/json',
          'idempotency-key': `door-${index}`,
        };
        const answer = await fetch(world.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        if (answer.ok) return JSON.parse(await answer.text());
      }
    };
    const filter = index === 0 ? {} : { filter_types: ['refund.succeeded', 'refund.failed'] };
    receiver.known.endpointId = (await ask('POST', '/webhooks', { url: receiver.url, ...filter })).id;
    receiver.known.secret = (await ask('GET', `/webhooks/${receiver.known.endpointId}/secret`)).secret;
  }
}

/** Lets the healed world finish what it has begun: minutes first, then the hours between the attempts of a webhook. */
async function drain(world: SoakWorld): Promise<void> {
  for (const wait of [1, 1, 2, 2, 3, 6, 6, 40, 40, 180, 180, 420, 800, 1_100, 1_600, 2_000])
    await world.sweepAfter(wait * minute);
}

/** Sells and refunds under faults of every kind, heals the world, lets it finish, and checks what must hold then. */
export async function soak({ seconds, seed, pace = 1 }: SoakOptions): Promise<SoakReport> {
  const random = seeded(seed);
  const world = await startSoakWorld(random, pace);
  try {
    await openDoors(world);
    const traffic = await makeTraffic(world, random, seconds);
    world.heal();
    const keyed = await repeatKeyed(world, traffic);
    await drain(world);
    const verdict = await check(world, traffic, keyed);
    return { ...verdict, seed, seconds, lines: describe(world, traffic, keyed, verdict, { seed, seconds }) };
  } finally {
    await world.stop();
  }
}

function describe(
  { faults, hostility, receipts }: SoakWorld,
  { asked, statuses, milliseconds, replays, lostAnswers }: Traffic,
  keyed: { repeated: number; identical: number },
  { counts, violations }: Verdict,
  { seed, seconds }: { seed: number; seconds: number },
): string[] {
  const [p50, p99] = [percentile(milliseconds, 0.5), percentile(milliseconds, 0.99)].map(Math.round);
  const twice = receipts.length - new Set(receipts.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`)).size;
  return [
    `soak: seed ${seed}, ${seconds} s, ${statuses.length} answers to ${asked.length} requests and their tries`,
    `rows: ${JSON.stringify(counts)}`,
    `faults of the table: ${JSON.stringify(faults.counts)} in ${faults.calls.length} calls`,
    `hostile bus, relay, receivers and indexes: ${JSON.stringify(hostility)}`,
    `answers lost on the way: ${lostAnswers}; duplicates absorbed: ${replays} by key or retry, ${twice} deliveries seen twice`,
    `keys repeated: ${keyed.identical} of ${keyed.repeated} with the same bytes`,
    `answers: ${JSON.stringify(tally(statuses))}`,
    `time of an answer: p50 ${p50} ms, p99 ${p99} ms`,
    violations.length === 0 ? 'I1–I11 hold' : `VIOLATED:\n  ${violations.slice(0, 20).join('\n  ')}`,
  ];
}

const options = {
  seconds: { type: 'string', default: '60' },
  pace: { type: 'string', default: '1' },
  seed: { type: 'string' },
  /** How many random commands the engine and the emulator are compared by, instead of the soak. */
  differential: { type: 'string' },
  /** How often a sandbox under load is killed, instead of the soak. */
  kills: { type: 'string' },
  /** How many unexpected requests are sent to every route, instead of the soak. */
  fuzz: { type: 'string' },
  /** How many seconds virtual buyers rush to a sale, instead of the soak. */
  sale: { type: 'string' },
  rate: { type: 'string', default: '160' },
  workers: { type: 'string', default: '10' },
  mails: { type: 'string', default: '14' },
  /** How many checkouts are paid through the processor on its bad days, instead of the soak. */
  processor: { type: 'string' },
  /** How many businesses buy while the registers of tax ids have bad days, instead of the soak. */
  registers: { type: 'string' },
} as const;

if (import.meta.main) {
  const { values } = parseArgs({ options });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (values.differential) {
    const report = await compareWithEmulator({ seed, commands: Number(values.differential) });
    console.log(describeComparison(report, seed).join('\n'));
    process.exitCode = report.unlisted.length === 0 ? 0 : 1;
  } else if (values.kills) {
    const report = await killUnderLoad({ seed, kills: Number(values.kills) });
    console.log(describeKills(report, seed));
    process.exitCode = report.lost.length === 0 ? 0 : 1;
  } else if (values.sale) {
    const { rate, workers, mails } = values;
    const numbers = { rate: Number(rate), workers: Number(workers), mailsPerSecond: Number(mails) };
    const report = await runSale({ seconds: Number(values.sale), seed, ...numbers }, console.log);
    console.log(report.lines.join('\n'));
    process.exitCode = report.violations.length === 0 ? 0 : 1;
  } else if (values.processor) {
    const report = await runProcessorCampaign({ checkouts: Number(values.processor), seed });
    console.log(report.lines.join('\n'));
    const isFull = Number(values.processor) >= fullCampaign;
    process.exitCode = report.violations.length === 0 && !(isFull && report.missing.length > 0) ? 0 : 1;
  } else if (values.registers) {
    const report = await runRegisterCampaign({ checkouts: Number(values.registers), seed });
    console.log(report.lines.join('\n'));
    process.exitCode = report.violations.length === 0 ? 0 : 1;
  } else if (values.fuzz) {
    process.exitCode = (await runFuzz({ count: Number(values.fuzz), seed })) ? 0 : 1;
  } else {
    const report = await soak({ seconds: Number(values.seconds), seed, pace: Number(values.pace) });
    console.log(report.lines.join('\n'));
    process.exitCode = report.violations.length === 0 ? 0 : 1;
  }
}
