import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import {
  behaviourById,
  type RegisterBehaviour,
  troubles,
  viesErrors,
} from '../../../infra/local/registers/register-behaviours.ts';
import type { TaxIdRegister } from '../../../shared/domain/checkout/tax-id-register.ts';
import { abn } from '../../../shared/outside/registers/abn.ts';
import { brreg } from '../../../shared/outside/registers/brreg.ts';
import { hmrc } from '../../../shared/outside/registers/hmrc.ts';
import { vies } from '../../../shared/outside/registers/vies.ts';
import { verifyTaxId } from '../../../shared/tax/tax-ids/tax-id-register.ts';

let fake: FakeRegisters;
let clock = 0;
const credentials = { clientId: 'client', clientSecret: 'secret' };
const read: boolean[] = [];

beforeAll(async () => {
  fake = await startFakeRegisters({ ...credentials, guid: 'guid', slowMs: 2_000 });
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.behave = behaviourById;
  fake.questions.length = 0;
  read.length = 0;
  clock = Date.parse('2026-11-22T12:00:00.000Z');
});

const now = () => new Date(clock);

const registers: Readonly<Record<string, () => TaxIdRegister>> = {
  vies: () => vies({ baseUrl: `${fake.url}/vies`, requester: 'DE136695976' }),
  brreg: () => brreg({ baseUrl: `${fake.url}/brreg` }),
  hmrc: () =>
    hmrc({
      baseUrl: `${fake.url}/hmrc`,
      credentials: async (again = false) => {
        read.push(again);
        return credentials;
      },
      requester: 'GB980780684',
      now,
    }),
  abn: () => abn({ baseUrl: `${fake.url}/abn`, guid: async () => 'guid' }),
};

const ids: Readonly<Record<string, readonly [id: string, country: string]>> = {
  vies: ['FR83404833048', 'FR'],
  brreg: ['NO923609016MVA', 'NO'],
  hmrc: ['GB980780684', 'GB'],
  abn: ['51824753556', 'AU'],
};

function ask(
  name: string,
  behaviour: RegisterBehaviour,
  register = registers[name]?.(),
  timeoutMs = behaviour === 'slow' ? 50 : 10_000,
) {
  fake.behave = () => behaviour;
  const [id, country] = ids[name] ?? ['', ''];
  return verifyTaxId(id, country, { register, timeoutMs, now });
}

describe.each(Object.keys(registers))('the tax id register %s', (name) => {
  it('confirms an id, with the registered name and address', async () => {
    const { status, checks } = await ask(name, 'valid');
    expect(status).toBe('valid');
    expect(checks).toEqual([expect.objectContaining({ register: name, verdict: 'valid', name: 'Example Business' })]);
    expect(checks?.[0]?.address).toMatch(/\w/);
  });

  it('confirms an id without a name', async () => {
    const { status, checks } = await ask(name, 'valid without a name');
    expect(status).toBe('valid');
    expect(checks?.[0]).not.toHaveProperty('name');
  });

  it('denies an unknown id', async () => {
    expect(await ask(name, 'invalid')).toMatchObject({ status: 'invalid' });
  });

  it.each([...troubles])('neither confirms nor denies an id after a fault: %s', async (trouble) => {
    const { status, checks } = await ask(name, trouble);
    expect(status).toBe('unverified');
    expect(checks?.[0]).toMatchObject({ verdict: 'none', fault: expect.stringMatching(/./) });
  });

  it('is waited for only up to the time limit', async () => {
    const begun = performance.now();
    await ask(name, 'slow', undefined, 100).then(() => ask(name, 'slow', registers[name]?.(), 100));
    expect(performance.now() - begun).toBeLessThan(1_500);
  });
});

describe('VIES', () => {
  it.each(viesErrors.filter((error) => error !== 'INVALID_INPUT' && error !== 'INVALID_REQUESTER_INFO'))(
    'neither confirms nor denies an id after the error %s with the status 200',
    async (error) => {
      expect(await ask('vies', error)).toMatchObject({
        status: 'unverified',
        checks: [{ verdict: 'none', fault: error }],
      });
    },
  );

  it('denies an id for which it answers INVALID_INPUT', async () => {
    expect(await ask('vies', 'INVALID_INPUT')).toMatchObject({ status: 'invalid' });
  });

  it('receives the merchant’s own number, and its consultation number is stored', async () => {
    const { checks } = await ask('vies', 'valid');
    expect(fake.questions).toEqual([{ register: 'vies', id: 'FR83404833048', requester: 'DE136695976' }]);
    expect(checks?.[0]?.consultation).toMatch(/^WAPI/);
  });

  it('is called again without the merchant’s number if it refuses that number, and the result says so', async () => {
    const { status, checks } = await ask('vies', 'INVALID_REQUESTER_INFO');
    expect(status).toBe('valid');
    expect(checks?.[0]).toMatchObject({ fault: 'INVALID_REQUESTER_INFO' });
    expect(checks?.[0]).not.toHaveProperty('consultation');
    expect(fake.questions.map(({ requester }) => requester)).toEqual(['DE136695976', undefined]);
  });
});

describe('HMRC', () => {
  it('gives a consultation number, and one access token is used until it expires', async () => {
    const register = registers['hmrc']?.();
    expect((await ask('hmrc', 'valid', register)).checks?.[0]?.consultation).toMatch(/^WAPI/);
    await ask('hmrc', 'valid', register);
    expect(read).toHaveLength(1);
    clock += 4 * 60 * 60 * 1_000;
    await ask('hmrc', 'valid', register);
    expect(read).toHaveLength(2);
  });

  it('is called again with a newly read secret after it refused the old one', async () => {
    let secret = 'old';
    const baseUrl = `${fake.url}/hmrc`;
    const register = hmrc({
      baseUrl,
      credentials: async (again = false) => {
        if (again) secret = 'secret';
        return { clientId: 'client', clientSecret: secret };
      },
      requester: undefined,
      now,
    });
    expect(await ask('hmrc', 'valid', register)).toMatchObject({ status: 'unverified' });
    expect(await ask('hmrc', 'valid', register)).toMatchObject({ status: 'valid' });
  });
});

it('the Australian register neither confirms nor denies an id if the merchant has no key for it', async () => {
  const register = abn({ baseUrl: `${fake.url}/abn`, guid: async () => 'another' });
  expect(await ask('abn', 'valid', register)).toMatchObject({ status: 'unverified' });
});
