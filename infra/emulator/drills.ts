import { inspect } from 'node:util';
import { end, endOnSignals, isEnding, untilTheEnd } from '../local/demo/lifetime.ts';
import { startFakeStripe } from '../local/stripe/fake-stripe.ts';
import { failures } from './checks/expectation.ts';
import { CommandError } from './command.ts';
import { practise } from './drills/drill.ts';
import { drills } from './drills/faults.ts';
import { rehearseFirstDay } from './drills/first-day.ts';
import { rehearseLiveAlarms } from './drills/live-alarms.ts';
import { OperatorShell } from './drills/shell.ts';
import { startEmulator } from './emulator.ts';
import { announce, say, timed, timings } from './say.ts';

const usage = `Rehearses docs/first-live-day.md on an AWS emulator with a played Stripe, then breaks that stack in eleven ways and repairs it by the
commands of docs/runbook.md alone.

  npm run drills`;

/** Records a failed drill. It is reported at once and again at the end. The next drill still runs. */
function note(error: unknown): void {
  const text = error instanceof CommandError ? error.message : inspect(error);
  failures.push(text);
  say(`  FAILED: ${text}`);
}

async function run(): Promise<void> {
  const stripe = await untilTheEnd(startFakeStripe());
  const emulator = await timed('Starting the emulator', () =>
    untilTheEnd(startEmulator({ PROCESSOR_URL: stripe.url })),
  );
  const shell = new OperatorShell(emulator, stripe);
  const shop = await rehearseFirstDay(shell, stripe);
  const guides = '--merchant guides --stage sandbox';
  const copied = await timed('A copy of the table', () => shell.run(`npm run --silent books -- copy ${guides}`));
  const [copy = ''] = /\S+-restored-\d{14}/.exec(copied) ?? [];
  for (const drill of drills)
    await practise(drill, { emulator, shell, stripe, shop, copy }).catch((error: unknown) => note(error));
  await timed('The alarms of a live stage', () => rehearseLiveAlarms(emulator, shell)).catch(note);
  await timed('The copy is removed', () => shell.run(`npm run --silent books -- drop --from ${copy}`));
}

endOnSignals();
if (process.argv.length > 2) {
  say(usage);
  await end(2);
}
try {
  await run();
} catch (error) {
  if (!isEnding()) note(error);
}
if (!isEnding()) {
  announce('Summary');
  for (const { step, seconds } of timings) say(`  ${seconds.toFixed(1).padStart(6)} s  ${step}`);
  for (const failure of failures) say(`\nFAILED: ${failure}`);
  if (failures.length === 0) say(`\nThe first live day was rehearsed, and ${drills.length} faults were repaired.`);
}
await end(failures.length === 0 ? 0 : 1);
