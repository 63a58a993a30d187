import type { RegisterAnswer, TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { checkTaxIdFormat } from './tax-id.ts';

/**
 * A register for tests and demonstrations that decides by the id alone. Every well-formed id is valid, except:
 *
 * | digits contain | answer | for example |
 * |---|---|---|
 * | `9999` | invalid | `DE199990006`, `FR86199990001` |
 * | `0000` | unavailable | `DE100000008`, `FR64100000001` |
 */
export const sandboxRegister: TaxIdRegister = {
  name: 'sandbox',
  confirm: async (id, country) => answerFor(id, country),
};

/**
 * The register of a sandbox. If it asks the fake of an official register, its records still name the sandbox as the
 * register.
 */
export const registerOfSandbox = (fake: TaxIdRegister | undefined): TaxIdRegister =>
  fake ? { ...fake, name: sandboxRegister.name } : sandboxRegister;

function answerFor(id: string, country: string): RegisterAnswer {
  if (checkTaxIdFormat(id, country).status === 'invalid' || id.includes('9999')) return { verdict: 'invalid' };
  return id.includes('0000') ? { verdict: 'none', fault: 'unavailable' } : { verdict: 'valid' };
}
