import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TaxIdAnswer, verifyTaxId } from '../../../shared/tax/tax-ids/tax-id-register.ts';

const answering = (answer: TaxIdAnswer) => ({ confirm: vi.fn(async () => answer) });

describe('a register that', () => {
  it.each([
    ['confirms', 'valid', 'valid'],
    ['denies', 'invalid', 'invalid'],
    ['is unavailable', 'unavailable', 'unverified'],
  ] as const)('%s the id makes it %s → %s', async (_, answer, status) => {
    const register = answering(answer);
    expect(await verifyTaxId(register, 'gr 094259216', 'GR')).toMatchObject({ id: 'EL094259216', status });
    expect(register.confirm).toHaveBeenCalledWith('EL094259216', 'GR');
  });

  it('fails leaves the id unverified', async () => {
    const failing = { confirm: async () => Promise.reject(new Error('MS_UNAVAILABLE')) };
    expect(await verifyTaxId(failing, 'DE136695976', 'DE')).toMatchObject({ status: 'unverified' });
  });

  it('answers nonsense leaves the id unverified', async () => {
    const nonsense = { confirm: async () => 'yes' as TaxIdAnswer };
    expect(await verifyTaxId(nonsense, 'DE136695976', 'DE')).toMatchObject({ status: 'unverified' });
  });

  it('is not there leaves the id unverified', async () => {
    expect(await verifyTaxId(undefined, 'DE136695976', 'DE')).toMatchObject({ status: 'unverified' });
  });

  it('is never asked about an id that is wrong already', async () => {
    const register = answering('valid');
    expect(await verifyTaxId(register, 'DE136695977', 'DE')).toMatchObject({ status: 'invalid' });
    expect(register.confirm).not.toHaveBeenCalled();
  });
});

describe('a register that is silent', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is waited for three seconds, and not longer', async () => {
    const silent = { confirm: () => new Promise<TaxIdAnswer>(() => {}) };
    const settled = vi.fn();
    const verified = verifyTaxId(silent, 'DE136695976', 'DE').finally(settled);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await verified).toMatchObject({ status: 'unverified' });
  });

  it('leaves no timer behind once it has answered', async () => {
    await verifyTaxId(answering('valid'), 'DE136695976', 'DE');
    expect(vi.getTimerCount()).toBe(0);
  });
});
