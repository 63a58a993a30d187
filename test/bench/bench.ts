import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { report } from './measure.ts';
import { hashesPerSecond } from './yardstick.ts';

/** The parts of the bench: `npm run bench -- flow` runs one of them. */
const parts: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  quote: async () => (await import('./quote-bench.ts')).benchQuote(),
  table: async () => (await import('./table-bench.ts')).benchTable(),
  money: async () => (await import('./money-bench.ts')).benchMoney(),
  flow: async (args) => {
    const { benchFlow, flowOptions } = await import('./flow-bench.ts');
    await benchFlow(flowOptions(args));
  },
  deliveries: async () => (await import('./delivery-bench.ts')).benchDeliveries(),
  memory: async () => (await import('./memory-bench.ts')).benchMemory(),
  live: async () => (await import('./live-memory-bench.ts')).benchLiveMemory(),
  cold: async () => (await import('./cold-start-bench.ts')).benchColdStart(),
};

/** Runs a part in a separate process, in which no other part has opened a table or warmed up code. */
function runApart(name: string): void {
  const { status } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const yardstick = (): string => `${hashesPerSecond()} SHA-256 of 64 kB a second`;

const [name, ...args] = process.argv.slice(2);
const part = name === undefined ? undefined : parts[name];
if (name === undefined) Object.keys(parts).forEach(runApart);
else if (part) {
  const before = yardstick();
  await part(args);
  report('This machine', [
    ['before', before],
    ['after', yardstick()],
  ]);
} else console.error(`There is no part "${name}": ${Object.keys(parts).join(', ')}.`);
process.exit(name !== undefined && !part ? 2 : 0);
