import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { expectThat } from '../checks/expectation.ts';
import { physicalId } from './damage.ts';
import type { DrillScene } from './drill.ts';

const Answer = z.object({ StatusCode: z.int(), FunctionError: z.string().optional() });
const Lines = z.array(z.object({ message: z.string() }));
const Measured = z.looseObject({ _aws: z.object({ Timestamp: z.number() }) });

/** The metrics that the worker `watch-shop` measures each hour. */
const metrics = ['SalesStopped', 'KeysEnding', 'PaymentsOutOfBalance'] as const;
type Measurements = Partial<Record<(typeof metrics)[number], number>>;

/**
 * Calls `watch-shop` like its schedule does. Expects that its metric has this number of payments with wrong amounts.
 */
export async function expectOutOfBalance(scene: DrillScene, stack: string, logs: string, count: number): Promise<void> {
  const startedAt = Date.now();
  const FunctionName = await physicalId(scene, stack, 'AccountingWatchShop');
  const { FunctionError } = Answer.parse(
    await scene.emulator.call('lambda', 'invoke', { FunctionName, Payload: '{}' }),
  );
  if (FunctionError) throw new Error(`watch-shop failed: ${FunctionError}`);
  const seen = await measuredSince({ scene, logs, startedAt, isAwaited: count > 0 });
  expectThat(`watch-shop counts ${count} payments that do not balance`, seen, {
    ...(count > 0 && { PaymentsOutOfBalance: count }),
  });
}

interface Look {
  scene: DrillScene;
  logs: string;
  startedAt: number;
  /** Whether there must be a problem. Without one, the worker measures nothing. */
  isAwaited: boolean;
}

/** Reads the metrics from log lines, as `ops -- logs --json` prints them. Lines can come some seconds late. */
async function measuredSince({ scene: { shell }, logs, startedAt, isAwaited }: Look): Promise<Measurements> {
  let seen: Measurements = {};
  for (let tries = 0; tries < (isAwaited ? 30 : 5); tries += 1) {
    seen = Object.fromEntries(
      Lines.parse(JSON.parse(await shell.read(`${logs} --json 2>/dev/null`)))
        .filter(({ message }) => message.includes('"_aws"'))
        .map(({ message }) => Measured.parse(JSON.parse(message)))
        .filter(({ _aws: { Timestamp } }) => Timestamp >= startedAt)
        .flatMap((line) => metrics.filter((name) => name in line).map((name) => [name, line[name]])),
    );
    if (Object.keys(seen).length > 0) return seen;
    await pause(1_000);
  }
  return seen;
}
