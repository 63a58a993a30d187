import { expect, it } from 'vitest';
import { whyNotAccountKey } from '../../../../shared/outside/processor/stripe/account/account-key.ts';

const key = (kind: string) => `${kind}_51abcdefghijklmnopqrstuvwxyz`;

it.each([
  { stage: 'live', kind: 'rk_live' },
  { stage: 'live', kind: 'sk_live' },
  { stage: 'sandbox', kind: 'rk_test' },
  { stage: 'sandbox', kind: 'sk_test' },
] as const)('a key of kind $kind is accepted in the stage $stage', ({ stage, kind }) => {
  expect(whyNotAccountKey(key(kind), stage)).toBeUndefined();
});

it.each([
  { stage: 'live', kind: 'rk_test', why: 'is a test key (rk_test_…), but the live stage needs a live key (rk_live_…)' },
  { stage: 'live', kind: 'sk_test', why: 'is a test key (sk_test_…), but the live stage needs a live key (sk_live_…)' },
  { stage: 'sandbox', kind: 'rk_live', why: 'is a live key (rk_live_…), but the sandbox stage needs a test key' },
  { stage: 'sandbox', kind: 'sk_live', why: 'is a live key (sk_live_…), but the sandbox stage needs a test key' },
  { stage: 'live', kind: 'pk_live', why: 'is not a secret key of Stripe' },
  { stage: 'live', kind: 'whsec', why: 'is not a secret key of Stripe' },
] as const)(
  'a key of kind $kind in the stage $stage is refused, and the error names the kind, not the value',
  ({ stage, kind, why }) => {
    expect(whyNotAccountKey(key(kind), stage)).toContain(why);
    expect(whyNotAccountKey(key(kind), stage)).not.toContain('51abc');
  },
);
