import { type CheckedTaxId, checkTaxIdFormat } from './tax-id.ts';

/** What an official register of tax ids says: VIES, HMRC's, or the sandbox's double. */
export interface TaxIdRegister {
  /** `unavailable`: it does not answer, or has no such country. */
  confirm(id: string, country: string): Promise<TaxIdAnswer>;
}

export type TaxIdAnswer = 'valid' | 'invalid' | 'unavailable';

/** Checks an id offline, then asks the register; one that is missing, fails or is slow leaves the id `unverified` and throws nothing. */
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
