import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { updateWithdrawalSettings } from '../../../shared/use-cases/withdrawal/update-withdrawal-settings.ts';
import { brands, now } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import type { Browsing } from '../../support/shop/dashboard.ts';
import { addMember, browseAs } from '../../support/shop/members.ts';

let api: Api;
let viewer: Browsing;
beforeAll(async () => {
  const merchant = { ...testMerchant, live: true, address: ['1 Street'], supportEmail: 'help@example.com' };
  api = await startApi(merchant, { STAGE: 'live' });
  viewer = await browseAs(api, await addMember('admin'));
});
afterAll(() => api.stop());

const overview = async () => (await api.call('GET /dashboard', { cookies: viewer.cookies, key: null })).text;

it('the overview lists missing legal duties until they are met, or consumers’ rights are off', async () => {
  const before = await overview();
  expect(before).toContain('What the law asks of you');
  for (const missing of ['An imprint', 'A privacy notice', 'Terms:', 'accessibility', 'supportPhone', 'receipts'])
    expect(before).toContain(missing);
  const deps = { brands: brands(), policyLanguage: 'de', now };
  const kinds = ['imprint', 'privacy', 'terms', 'accessibility'] as const;
  await publishPolicies(
    deps,
    kinds.map((kind) => ({ kind, language: 'de', text: 'Text' })),
    () => [],
  );
  const after = await overview();
  expect(after).not.toContain('An imprint');
  expect(after).toContain('supportPhone');
  await updateWithdrawalSettings(deps, { isOff: true, refundsByItself: false }, () => []);
  expect(await overview()).not.toContain('supportPhone');
});
