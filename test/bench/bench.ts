import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The parts of the bench, each by its name on the command line. */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  quote: async () => (await import('./quote-bench.ts')).benchQuote(),
  table: async () => (await import('./table-bench.ts')).benchTable(),
  money: async () => (await import('./money-bench.ts')).benchMoney(),
  deliveries: async () => (await import('./delivery-bench.ts')).benchDeliveries(),
  cold: async () => (await import('./cold-start-bench.ts')).benchColdStart(),
};

/** Runs a part in a process of its own, where no other part has opened a table or warmed up code. */
function runApart(name: string): void {
  const { status } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const [name] = process.argv.slice(2);
const part = name === undefined ? undefined : parts[name];
if (name === undefined) Object.keys(parts).forEach(runApart);
else if (part) await part();
else console.error(`There is no part "${name}": ${Object.keys(parts).join(', ')}.`);
process.exit(name !== undefined && !part ? 2 : 0);
