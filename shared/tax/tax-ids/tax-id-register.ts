import type { CheckTaxId, RegisterCheck, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import type { RegisterAnswer, TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { assertTaxId, checkTaxIdFormat } from './tax-id.ts';

interface Asking {
  /** The country's register; undefined if there is none. */
  register: TaxIdRegister | undefined;
  /** How many milliseconds the register has for the whole answer. */
  timeoutMs: number;
  now: () => Date;
}

interface Checking extends Omit<Asking, 'register'> {
  registerOf: (country: string) => TaxIdRegister | undefined;
  /** Called with the reason if a register gave no full answer. */
  onFault: (fault: string) => void;
}

/**
 * Checks a buyer's tax id and refuses a wrong one. It asks the register, unless the register has already confirmed the
 * id for this session.
 */
export const taxIdChecker =
  ({ registerOf, onFault, ...asking }: Checking): CheckTaxId =>
  async (id, country, proven) => {
    if (proven?.status === 'valid' && isSameId(proven, id, country)) return proven;
    const check = await verifyTaxId(id, country, { ...asking, register: registerOf(country) });
    const fault = check.checks?.at(-1)?.fault;
    if (fault !== undefined) onFault(fault);
    assertTaxId(check);
    return check;
  };

const isSameId = (proven: TaxIdCheck, id: string, country: string): boolean =>
  proven.country === country && checkTaxIdFormat(id, country).id === proven.id;

/**
 * Checks an id offline, then in the register. It never throws. Without an answer in time, the id stays `unverified`.
 */
export async function verifyTaxId(id: string, country: string, asking: Asking): Promise<TaxIdCheck> {
  const check = { ...checkTaxIdFormat(id, country), checkedAt: asking.now().toISOString() };
  if (check.status === 'invalid') return check;
  const answered = await askRegister(check, asking);
  return answered ? withRegisterCheck(check, answered) : check;
}

/** Asks the register about an id whose form is right; undefined if there is no register. */
export async function askRegister(
  { id, country }: Pick<TaxIdCheck, 'id' | 'country'>,
  { register, timeoutMs, now }: Asking,
): Promise<RegisterCheck | undefined> {
  if (!register) return undefined;
  const answer = await answerWithin(timeoutMs, (signal) => register.confirm(id, country, signal));
  return { register: register.name, at: now().toISOString(), ...answer };
}

const statuses = { valid: 'valid', invalid: 'invalid', none: 'unverified' } as const;

/** The tax id with the answer of a register. */
export const withRegisterCheck = (check: TaxIdCheck, answered: RegisterCheck): TaxIdCheck => ({
  ...check,
  status: statuses[answered.verdict] ?? 'unverified',
  checkedAt: answered.at,
  checks: [...(check.checks ?? []), answered],
});

const silence: RegisterAnswer = { verdict: 'none', fault: 'no answer in time' };

/** Waits for the answer until a time limit, and ignores a later answer. */
async function answerWithin(
  milliseconds: number,
  ask: (signal: AbortSignal) => Promise<RegisterAnswer>,
): Promise<RegisterAnswer> {
  const asking = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<RegisterAnswer>();
  const timer = setTimeout(() => resolve(silence), milliseconds);
  try {
    return await Promise.race([ask(asking.signal), late]);
  } catch (error) {
    return { verdict: 'none', fault: error instanceof Error ? error.name : 'unknown' };
  } finally {
    clearTimeout(timer);
    asking.abort();
  }
}
