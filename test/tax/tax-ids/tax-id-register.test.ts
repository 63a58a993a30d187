import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RegisterAnswer } from '../../../shared/domain/checkout/tax-id-register.ts';
import { verifyTaxId } from '../../../shared/tax/tax-ids/tax-id-register.ts';

const at = '2026-11-22T12:00:00.000Z';
const now = () => new Date(at);

const answering = (answer: RegisterAnswer) => ({ name: 'vies' as const, confirm: vi.fn(async () => answer) });

const verify = (register: Parameters<typeof verifyTaxId>[2]['register'], id = 'DE136695976', country = 'DE') =>
  verifyTaxId(id, country, { register, timeoutMs: 1_500, now });

describe('a tax id register', () => {
  it.each([
    ['confirms', 'valid', 'valid'],
    ['denies', 'invalid', 'invalid'],
    ['has no verdict', 'none', 'unverified'],
  ] as const)('that %s gives the answer %s and the status %s, and its answer is stored', async (_, verdict, status) => {
    const register = answering({ verdict, name: 'A Business', consultation: 'WAPI1' });
    expect(await verify(register, 'gr 094259216', 'GR')).toEqual({
      id: 'EL094259216',
      country: 'GR',
      status,
      formatName: 'EU VAT',
      checkedAt: at,
      checks: [{ register: 'vies', at, verdict, name: 'A Business', consultation: 'WAPI1' }],
    });
    expect(register.confirm).toHaveBeenCalledWith('EL094259216', 'GR', expect.any(AbortSignal));
  });

  it('that fails leaves the id unverified', async () => {
    const failing = { name: 'vies' as const, confirm: async () => Promise.reject(new TypeError('fetch failed')) };
    expect(await verify(failing)).toMatchObject({
      status: 'unverified',
      checks: [{ verdict: 'none', fault: 'TypeError' }],
    });
  });

  it('that is not available leaves the id unverified, and nothing is stored', async () => {
    const check = await verify(undefined);
    expect(check).toMatchObject({ status: 'unverified' });
    expect(check).not.toHaveProperty('checks');
  });

  it('is not asked about an id whose check digit is wrong', async () => {
    const register = answering({ verdict: 'valid' });
    expect(await verify(register, 'DE136695977')).toMatchObject({ status: 'invalid' });
    expect(register.confirm).not.toHaveBeenCalled();
  });
});

describe('the time limit for a tax-id register', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('ends the wait for a register that does not answer', async () => {
    let ended: AbortSignal | undefined;
    const silent = {
      name: 'vies' as const,
      confirm: (_: string, __: string, signal: AbortSignal) => {
        ended = signal;
        return new Promise<RegisterAnswer>(() => {});
      },
    };
    const settled = vi.fn();
    const verified = verify(silent).finally(settled);
    await vi.advanceTimersByTimeAsync(1_499);
    expect(settled).not.toHaveBeenCalled();
    expect(ended?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await verified).toMatchObject({ status: 'unverified', checks: [{ fault: 'no answer in time' }] });
    expect(ended?.aborted).toBe(true);
  });

  it('leaves no timer running once the register has answered', async () => {
    await verify(answering({ verdict: 'valid' }));
    expect(vi.getTimerCount()).toBe(0);
  });
});
