import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DomainError } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, world } from '../../shared/wiring/runtime.ts';
import { functionsOf, type Invoke } from '../local-aws/functions.ts';
import type { GatewayRoute } from '../local-aws/gateway/routes.ts';

/** The address of the clock of a sandbox on this machine. No stack has it. */
export const clockPath = '/local/clock';

const names = { read: 'local/read-clock', move: 'local/move-clock' } as const;

export const clockRoutes: readonly GatewayRoute[] = [
  { function: names.read, methods: ['GET'], paths: [clockPath] },
  { function: names.move, methods: ['POST'], paths: [clockPath] },
];

const ClockInput = z.strictObject({ to: z.iso.datetime({ offset: true }) });

/** How far ahead the clock may be: further than all periods of a sale, and before years of five digits. */
const mostAheadMs = 50 * 366 * 86_400_000;

export interface LocalClock {
  /** Answers the requests to the clock itself, and passes all others on. */
  invoke: Invoke;
  /** What happens after each move. */
  afterMove: () => Promise<void>;
  stop: () => Promise<void>;
}

interface ClockOptions {
  dataDirectory: string | undefined;
  invoke: Invoke;
}

/**
 * The clock of the functions on this machine, which can be moved forward and never back. It is kept beside the table, so
 * it does not go back at the next start. Calls to AWS and signatures of webhooks keep the real time, because others
 * compare them with their own clocks.
 */
export function startLocalClock({ dataDirectory, invoke }: ClockOptions): LocalClock {
  const file = dataDirectory && join(dataDirectory, 'clock.json');
  const before = { now: world.now, sentAt: world.sentAt };
  let aheadMs = file && existsSync(file) ? aheadIn(readFileSync(file, 'utf8')) : 0;
  world.now = () => new Date(before.now().getTime() + aheadMs);
  world.sentAt = () => before.now();
  const clock: LocalClock = {
    invoke,
    afterMove: async () => {},
    stop: async () => void Object.assign(world, before),
  };
  const present = () => ({ now: now().toISOString(), ahead_seconds: Math.round(aheadMs / 1_000) });
  const move = async (to: string) => {
    const nextMs = Date.parse(to) - before.now().getTime();
    if (nextMs < aheadMs)
      throw new DomainError('CONFLICT', 'The clock only goes forward. Empty the table to begin again.');
    if (nextMs > mostAheadMs) throw new DomainError('CONFLICT', 'The clock is at most fifty years ahead.');
    if (file) writeFileSync(file, JSON.stringify({ ahead_ms: nextMs }));
    aheadMs = nextMs;
    await clock.afterMove();
  };
  const handlers: Readonly<Record<string, () => unknown>> = {
    [names.read]: () => endpoint({ access: 'read', present }, async () => undefined),
    [names.move]: () => endpoint({ access: 'write', body: ClockInput, present }, ({ body }) => move(body.to)),
  };
  const own = functionsOf(async (name) => ({ handler: handlers[name]?.() }));
  clock.invoke = (name, event) => (name in handlers ? own.invoke : invoke)(name, event);
  return clock;
}

const aheadIn = (text: string): number => z.object({ ahead_ms: z.int().min(0) }).parse(JSON.parse(text)).ahead_ms;
