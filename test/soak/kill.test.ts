import { expect, it } from 'vitest';
import { describeKills, killUnderLoad } from './kill-under-load.ts';

it('loses nothing that was answered when the sandbox is killed under load, twice', {
  timeout: 240_000,
}, async () => {
  const report = await killUnderLoad({ seed: 9, kills: 2 });
  console.log(describeKills(report, 9));
  expect(report.lost).toEqual([]);
  expect(Object.values(report.answered).every((count) => count > 0)).toBe(true);
});
