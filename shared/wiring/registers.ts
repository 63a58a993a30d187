import type { CheckTaxId, RegisterCheck, TaxIdCheck } from '../domain/checkout/buyer.ts';
import type { TaxIdRegister } from '../domain/checkout/tax-id-register.ts';
import { type ClosedRegister, registerSecretName } from '../domain/register-secrets.ts';
import { env } from '../env.ts';
import { logWarn } from '../log.ts';
import { readSecret, rememberedSecret } from '../outside/parameters/secret.ts';
import { abn } from '../outside/registers/abn.ts';
import { brreg } from '../outside/registers/brreg.ts';
import { type HmrcCredentials, hmrc } from '../outside/registers/hmrc.ts';
import { vies } from '../outside/registers/vies.ts';
import { vatHomeOf } from '../tax/places/resolve-place.ts';
import { unionCountries } from '../tax/places/tax-areas.ts';
import { sandboxRegister } from '../tax/tax-ids/sandbox-register.ts';
import { assertTaxId, checkTaxIdFormat } from '../tax/tax-ids/tax-id.ts';
import { askRegister, verifyTaxId } from '../tax/tax-ids/tax-id-register.ts';
import { now } from './runtime.ts';
import { refundStep, taxSettings } from './selling.ts';

/**
 * The registers of tax ids that the stage asks. They are not in `runtime.ts`, so only functions that ask a register
 * bundle this code.
 */

/** How long a checkout waits for a register. The rest of its two seconds is for its other work. */
const checkoutMs = 1_500;

/** How long a worker waits for a register. It is longer, because no buyer waits. */
const workerMs = 10_000;

/** The addresses of the registers. A local sandbox has those of its fake registers. */
function addresses() {
  const local = env.registerUrl();
  if (local === undefined)
    return {
      vies: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
      brreg: 'https://data.brreg.no/enhetsregisteret/api',
      hmrc: 'https://api.service.hmrc.gov.uk',
      abn: 'https://abr.business.gov.au/json',
    };
  if (env.stage() === 'live' || new URL(local).hostname !== '127.0.0.1')
    throw new Error('REGISTER_URL may only lead to this machine, from a sandbox.');
  return { vies: `${local}/vies`, brreg: `${local}/brreg`, hmrc: `${local}/hmrc`, abn: `${local}/abn` };
}

async function linesOf(register: ClosedRegister): Promise<string[]> {
  const access = { ...env.aws(), endpoint: env.parameterStoreUrl() };
  const stored = await readSecret(access, registerSecretName(env.merchant().id, env.stage(), register));
  if (stored === undefined) throw new Error(`The credentials for ${register} are not set.`);
  return stored.split('\n').map((line) => line.trim());
}

async function hmrcCredentials(): Promise<HmrcCredentials> {
  const [clientId = '', clientSecret = ''] = await linesOf('hmrc');
  return { clientId, clientSecret };
}

const hmrcSecret = /* @__PURE__ */ rememberedSecret({ read: hmrcCredentials, now });
const abnSecret = /* @__PURE__ */ rememberedSecret({ read: async () => (await linesOf('abn'))[0] ?? '', now });

/** The merchant's own tax id, if it belongs to the register. */
function ownNumber(isOf: (country: string) => boolean): string | undefined {
  const { country, taxId } = env.merchant();
  if (taxId === undefined || !isOf(vatHomeOf(country))) return undefined;
  const { id, status } = checkTaxIdFormat(taxId, country);
  return status === 'invalid' ? undefined : id;
}

const isClosedTo = (register: ClosedRegister): boolean => !env.registers().includes(register);

const union = (): TaxIdRegister =>
  vies({ baseUrl: addresses().vies, requester: ownNumber((country) => unionCountries.has(country)) });

let british: TaxIdRegister | undefined;

/** The British register, one client for each process, because it remembers its token. */
function britain(): TaxIdRegister | undefined {
  if (isClosedTo('hmrc')) return undefined;
  const requester = ownNumber((country) => country === 'GB');
  british ??= hmrc({ baseUrl: addresses().hmrc, credentials: hmrcSecret, requester, now });
  return british;
}

function officialRegister(country: string): TaxIdRegister | undefined {
  const home = vatHomeOf(country);
  if (unionCountries.has(home)) return union();
  if (home === 'NO') return brreg({ baseUrl: addresses().brreg });
  if (home === 'GB') return britain();
  return home === 'AU' && !isClosedTo('abn') ? abn({ baseUrl: addresses().abn, guid: abnSecret }) : undefined;
}

/**
 * The register of a country; undefined if there is none to ask. A sandbox in the cloud asks no register and decides by
 * the id alone. A local sandbox asks its fake registers, and its records say so.
 */
function registerOf(country: string): TaxIdRegister | undefined {
  if (env.stage() === 'live') return officialRegister(country);
  const played = env.registerUrl() === undefined ? undefined : officialRegister(country);
  return played ? { ...played, name: sandboxRegister.name } : sandboxRegister;
}

/**
 * Checks a buyer's tax id and refuses a wrong one. Asks the register, unless it has already confirmed the id for this
 * session.
 */
export const checkTaxId: CheckTaxId = async (id, country, proven) => {
  if (proven?.status === 'valid' && isTheSame(proven, id, country)) return proven;
  const check = await verifyTaxId(id, country, { register: registerOf(country), timeoutMs: checkoutMs, now });
  warn(check);
  assertTaxId(check);
  return check;
};

const isTheSame = (proven: TaxIdCheck, id: string, country: string): boolean =>
  proven.country === country && checkTaxIdFormat(id, country).id === proven.id;

/** Asks a register again, with a worker's patience; undefined if there is no register to ask. */
const askAgain = (check: TaxIdCheck): Promise<RegisterCheck | undefined> =>
  askRegister(check, { register: registerOf(check.country), timeoutMs: workerMs, now });

/** The dependencies of the sweep for asking registers again and for proposing corrections. */
export const rechecks = () => ({
  askAgain,
  taxSettings,
  refundStep,
  isAutomatic: env.merchant().taxIdCorrections === 'automatic',
});

function warn({ checks = [] }: TaxIdCheck): void {
  const fault = checks.at(-1)?.fault;
  if (fault !== undefined) logWarn('a register of tax ids gave no full answer', { fault });
}
