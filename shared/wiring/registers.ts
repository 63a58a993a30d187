import type { CheckTaxId, RegisterCheck, TaxIdCheck } from '../domain/checkout/buyer.ts';
import type { TaxIdRegister } from '../domain/checkout/tax-id-register.ts';
import { unionCountries } from '../domain/places/union-countries.ts';
import { type ClosedRegister, registerSecretName } from '../domain/register-secrets.ts';
import { env } from '../env.ts';
import { logWarn } from '../log.ts';
import { readSecret, rememberedSecret } from '../outside/parameters/secret.ts';
import { abn, abnGuidIn } from '../outside/registers/abn.ts';
import { brreg } from '../outside/registers/brreg.ts';
import { hmrc, hmrcCredentialsIn } from '../outside/registers/hmrc.ts';
import { registerAddresses } from '../outside/registers/register-addresses.ts';
import { vies } from '../outside/registers/vies.ts';
import { registerOfStage } from '../tax/tax-ids/register-of-stage.ts';
import { sellerNumberOf } from '../tax/tax-ids/seller-tax-id.ts';
import { askRegister, taxIdChecker } from '../tax/tax-ids/tax-id-register.ts';
import { now } from './runtime.ts';

/**
 * The registers of tax ids that the stage uses. They are not in `runtime.ts`, so only functions that ask a register
 * have this code in their bundle.
 */

/** How long a checkout waits for a register. The rest of its two seconds is for its other work. */
const checkoutMs = 1_500;

/** How long a worker waits for a register. It is longer, because no buyer waits. */
const workerMs = 10_000;

const isLive = (): boolean => env.stage() === 'live';

const addresses = () => registerAddresses(env.registerUrl(), isLive());

async function credentialsOf(register: ClosedRegister): Promise<string> {
  const access = { ...env.aws(), endpoint: env.parameterStoreUrl() };
  const stored = await readSecret(access, registerSecretName(env.merchant().id, env.stage(), register));
  if (stored === undefined) throw new Error(`The credentials for ${register} are not set.`);
  return stored;
}

const hmrcSecret = /* @__PURE__ */ rememberedSecret({
  read: async () => hmrcCredentialsIn(await credentialsOf('hmrc')),
  now,
});
const abnSecret = /* @__PURE__ */ rememberedSecret({ read: async () => abnGuidIn(await credentialsOf('abn')), now });

const isClosedTo = (register: ClosedRegister): boolean => !env.registers().includes(register);

const ownNumber = (isOf: (country: string) => boolean): string | undefined => sellerNumberOf(env.merchant(), isOf);

let british: TaxIdRegister | undefined;

/** The British register. A process has only one client for it, because the client remembers its token. */
function britain(): TaxIdRegister {
  const requester = ownNumber((country) => country === 'GB');
  british ??= hmrc({ baseUrl: addresses().hmrc, credentials: hmrcSecret, requester, now });
  return british;
}

const registerOf = (country: string): TaxIdRegister | undefined =>
  registerOfStage(country, {
    isLive: isLive(),
    playsRegisters: env.registerUrl() !== undefined,
    registers: {
      union: () => vies({ baseUrl: addresses().vies, requester: ownNumber((home) => unionCountries.has(home)) }),
      NO: () => brreg({ baseUrl: addresses().brreg }),
      GB: () => (isClosedTo('hmrc') ? undefined : britain()),
      AU: () => (isClosedTo('abn') ? undefined : abn({ baseUrl: addresses().abn, guid: abnSecret })),
    },
  });

/** Checks a buyer's tax id and refuses a wrong one. */
export const checkTaxId: CheckTaxId = /* @__PURE__ */ taxIdChecker({
  registerOf,
  timeoutMs: checkoutMs,
  now,
  onFault: (fault) => logWarn('a register of tax ids gave no full answer', { fault }),
});

/** Asks a register again, with the longer time limit of a worker. Undefined if there is no register. */
export const askRegisterAgain = (check: TaxIdCheck): Promise<RegisterCheck | undefined> =>
  askRegister(check, { register: registerOf(check.country), timeoutMs: workerMs, now });
