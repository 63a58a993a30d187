import { expect, it, vi } from 'vitest';
import { startSchedule } from '../../infra/local-aws/bus/schedule.ts';
import { collectLog } from '../local/log.ts';

const log = collectLog();

it('the local schedule calls the function repeatedly, one call at a time, even after a failure', async () => {
  let running = 0;
  let most = 0;
  const events: unknown[] = [];
  const invoke = async (name: string, event: unknown) => {
    running += 1;
    most = Math.max(most, running);
    events.push({ name, event });
    await new Promise(setImmediate);
    running -= 1;
    if (events.length === 1) throw new Error('no');
  };
  const schedule = startSchedule({ function: 'sweep', everySeconds: 0.001, invoke });
  await vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(3));
  await schedule.stop();
  const calls = events.length;
  expect(most).toBe(1);
  expect(log).toHaveLength(1);
  expect(events[0]).toMatchObject({ name: 'sweep', event: { source: 'aws.events', 'detail-type': 'Scheduled Event' } });
  await new Promise(setImmediate);
  expect(events).toHaveLength(calls);
});
