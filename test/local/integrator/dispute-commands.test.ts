import { afterAll, beforeAll, expect, it } from 'vitest';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { clock } from '../../support/clock.ts';
import { runWords, temporaryFolder } from './command-line.ts';

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

it('trigger makes banks decide disputes, for the merchant and against', async () => {
  const slow = ['dispute.won', 'dispute.lost'];
  clock.hurry(100); // five minutes are three seconds
  const decided = await Promise.all(slow.map((type) => json(['trigger', type])));
  expect(decided.map(({ type }) => type)).toEqual(slow);
  for (const { event_id: id, payment_id: payment, type } of decided) {
    const { body } = await json(['events', 'get', id]);
    expect(body.data).toMatchObject({ payment_id: payment, dispute_status: type.replace('.', '_') });
    const earlier = await json(['events', 'list', '--payment', payment]);
    expect(earlier.map((event: { type: string }) => event.type)).toContain('dispute.opened');
  }
}, 60_000);
