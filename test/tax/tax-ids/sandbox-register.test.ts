import { expect, it } from 'vitest';
import { sandboxRegister } from '../../../shared/tax/tax-ids/sandbox-register.ts';
import { verifyTaxId } from '../../../shared/tax/tax-ids/tax-id-register.ts';

const verify = (id: string, country: string) =>
  verifyTaxId(id, country, { register: sandboxRegister, timeoutMs: 1_000, now: () => new Date(0) });

it.each([
  ['DE136695976', 'DE', 'valid'],
  ['DE199990006', 'DE', 'invalid'],
  ['DE100000008', 'DE', 'unverified'],
  ['FR83404833048', 'FR', 'valid'],
  ['FR86199990001', 'FR', 'invalid'],
  ['FR64100000001', 'FR', 'unverified'],
  ['GB199990030', 'GB', 'invalid'],
  ['GB100000089', 'GB', 'unverified'],
  ['51824753556', 'AU', 'valid'],
  ['DE136695977', 'DE', 'invalid'],
])('the sandbox decides by the tax id alone: %s in %s is %s', async (id, country, status) => {
  expect(await verify(id, country)).toMatchObject({ status });
  expect(await verify(id, country)).toMatchObject({ status });
});

it('the sandbox itself rejects a tax id in the wrong format', async () => {
  const { signal } = new AbortController();
  expect(await sandboxRegister.confirm('DE136695977', 'DE', signal)).toEqual({ verdict: 'invalid' });
});
