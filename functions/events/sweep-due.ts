import { setTimeout as pause } from 'node:timers/promises';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { describeError, logError, logInfo } from '../../shared/log.ts';
import {
  bus,
  deliveries,
  dueRows,
  events,
  newId,
  now,
  payments,
  processor,
  sessions,
  targetPolicy,
  webhooks,
  world,
} from '../../shared/runtime.ts';
import { sweepDue } from '../../shared/use-cases/sweep-due.ts';
import { webhookSender } from '../../shared/webhooks/send-webhook.ts';

const deps = {
  due: dueRows(),
  bus: bus(),
  events: events(),
  webhooks: webhooks(),
  deliveries: deliveries(),
  payments: payments(),
  sessions: sessions(),
  processor: processor(),
  send: webhookSender(targetPolicy()),
  now,
  newId,
  random: () => world.random(),
  pause: (milliseconds: number) => pause(milliseconds),
  speed: 1,
  report: (message: string, fields: Record<string, unknown>, error: unknown) =>
    logError(message, { ...fields, ...describeError(error) }),
};

/** Each minute: finishes whatever is due. */
export async function handler(_: ScheduledEvent, context: Context): Promise<void> {
  const { oldestEventSeconds } = await sweepDue(deps, () => context.getRemainingTimeInMillis());
  if (oldestEventSeconds > 0) logInfo('events were late', { oldestEventSeconds });
}
