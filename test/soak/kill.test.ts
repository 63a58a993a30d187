import { expect, it } from 'vitest';
import { campaign } from '../support/seeded.ts';
import { describeKills, killUnderLoad, withoutDueMails } from './kill-under-load.ts';

const kills = campaign(2, 2, 1);

it(`the sandbox loses nothing that it has answered, even if it is killed under load ${kills} times`, {
  timeout: 240_000,
}, async () => {
  const report = await killUnderLoad({ seed: 9, kills });
  console.log(describeKills(report, 9));
  expect(report.lost).toEqual([]);
  expect(Object.values(report.answered).every((count) => count > 0)).toBe(true);
});

it.each([
  { state: 'is lost once its event has ended', event: {}, faults: 2 },
  { state: 'is no loss while its event is open', event: { undocumented: true }, faults: 0 },
])('the check for lost mails works: a missing mail $state', ({ event, faults }) => {
  const rows = [
    { entity: 'EVENT', paymentId: 'pay_1', ...event },
    { entity: 'REFUND', data: { id: 'ref_1', paymentId: 'pay_1' } },
  ];
  const missing = ['pay_1: its document INV-1 was not mailed', 'ref_1: its document CRN-1 was not mailed'];
  expect(withoutDueMails(rows, missing)).toHaveLength(faults);
});
