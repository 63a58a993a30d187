import { type CheckedTaxId, checkTaxIdFormat } from './tax-id.ts';

/** An official register of tax ids: VIES, HMRC's, or the sandbox's double. */
export interface TaxIdRegister {
  /** `unavailable`: it does not answer, or does not cover the country. */
  confirm(id: string, country: string): Promise<TaxIdAnswer>;
}

export type TaxIdAnswer = 'valid' | 'invalid' | 'unavailable';

/**
 * Checks an id offline, then in the register. If the register is missing, slow or fails, the id stays `unverified`;
 * nothing is thrown.
 */
export async function verifyTaxId(
  register: TaxIdRegister | undefined,
  id: string,
  country: string,
  timeoutSeconds = 3,
): Promise<CheckedTaxId> {
  const check = checkTaxIdFormat(id, country);
  if (!register || check.status === 'invalid') return check;
  const answer = await answerWithin(timeoutSeconds, async () => register.confirm(check.id, country));
  return { ...check, status: answer === 'valid' || answer === 'invalid' ? answer : 'unverified' };
}

async function answerWithin(seconds: number, ask: () => Promise<TaxIdAnswer>): Promise<TaxIdAnswer> {
  const { promise: silence, resolve } = Promise.withResolvers<TaxIdAnswer>();
  const timer = setTimeout(() => resolve('unavailable'), seconds * 1_000);
  try {
    return await Promise.race([ask(), silence]);
  } catch {
    return 'unavailable';
  } finally {
    clearTimeout(timer);
  }
}
