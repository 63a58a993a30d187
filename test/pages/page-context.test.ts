import { expect, it } from 'vitest';
import { loadMerchantConfig } from '../../infra/merchant-config.ts';
import type { PageRequest } from '../../shared/http/page.ts';
import { contextOf } from '../../shared/pages/page-context.ts';

const { merchant } = loadMerchantConfig('demo');
const request = { headers: {}, query: () => undefined } as unknown as PageRequest;

it.each([
  ['the merchant’s file has no sender', {}, undefined, false],
  ['the merchant’s file has a sender', { receipts: { from: 'till@shop.example' } }, undefined, true],
  ['this machine writes mails into a folder', {}, 'mails', true],
])('the page knows correctly whether receipts are mailed when %s: %j %s', (_, settings, folder, expected) => {
  const env = { merchant: () => ({ ...merchant, ...settings }), stage: () => 'sandbox' as const };
  expect(contextOf({ ...env, mailFolder: () => folder }, request).mailsReceipts).toBe(expected);
});
