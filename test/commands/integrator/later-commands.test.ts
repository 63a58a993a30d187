import { afterAll, beforeAll, expect, it } from 'vitest';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { clock } from '../../support/clock.ts';
import { decidedLater, runWords, temporaryFolder } from './command-line.ts';

let sandbox: Sandbox;
const folder = temporaryFolder();
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25 });
  await seedLocalKey(sandbox.table);
});
afterAll(async () => {
  clock.run();
  await sandbox.stop();
  folder.remove();
});

/** What a command prints for a script. */
async function json(args: string[]) {
  const environment = { url: sandbox.url, key: localKey, profilesFile: folder.profilesFile };
  const { code, out, error } = await runWords([...args, '--json'], { environment });
  expect([code, error]).toEqual([0, '']);
  return JSON.parse(out);
}

it('the trigger command can cause a failed refund, a dispute, and a dispute won or lost by the merchant', async () => {
  clock.hurry(100); // five minutes are three seconds
  const triggered = await Promise.all(decidedLater.map((type) => json(['trigger', type])));
  expect(triggered.map(({ type }) => type)).toEqual(decidedLater);
  for (const { event_id: id, payment_id: payment, type } of triggered) {
    const { body } = await json(['events', 'get', id]);
    expect(body.data.payment_id).toBe(payment);
    expect(await json(['payments', 'get', payment])).toMatchObject({ payment_id: payment });
    if (!type.startsWith('dispute.')) continue;
    expect(body.data.dispute_status).toBe(type.replace('.', '_'));
    const earlier = await json(['events', 'list', '--payment', payment]);
    expect(earlier.map((event: { type: string }) => event.type)).toContain('dispute.opened');
  }
}, 60_000);
