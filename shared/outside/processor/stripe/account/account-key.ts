import type { Stage } from '../../../../domain/merchant.ts';

const forms = /^(?<kind>sk|rk)_(?<mode>test|live)_\w{4,250}$/;

/** Why a key does not fit this stage; undefined if it fits. It checks the prefix, and does not repeat the key. */
export function whyNotAccountKey(key: string, stage: Stage): string | undefined {
  const { kind, mode } = forms.exec(key)?.groups ?? {};
  if (kind === undefined || mode === undefined)
    return 'The key is not a secret key of Stripe: it must begin with rk_live_, sk_live_, rk_test_ or sk_test_.';
  const stageMode = stage === 'live' ? 'live' : 'test';
  if (mode === stageMode) return undefined;
  return `The key is a ${mode} key (${kind}_${mode}_…), but the ${stage} stage needs a ${stageMode} key (${kind}_${stageMode}_…).`;
}

/** Whether the key has only some rights, which the merchant has chosen. */
export const isRestricted = (key: string): boolean => key.startsWith('rk_');
