import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { caseDueAt, newCase } from '../../../shared/domain/withdrawal/withdrawal-case.ts';
import { apiKeys, newId, now, payments, withdrawals } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'first-sweep-'));
let api: Api;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

it('the sweep mails the link that proves a declaration, even in a process that has not yet read the secret', async () => {
  const { paymentId } = await sell(api);
  const { customer } = await payments().get(paymentId);
  const declaration = {
    id: newId('wdr'),
    receivedAt: now().toISOString(),
    source: 'form' as const,
    name: 'Ann Buyer',
    email: customer.email,
    reference: paymentId,
    language: 'en',
    paymentId: null,
    lines: null,
  };
  const current = newCase(declaration, paymentId, { sendsMail: true });
  await withdrawals().declare(declaration, { current, dueAt: caseDueAt(current) });
  await apiKeys().saveSessionSecret('s'.repeat(43));
  await invokeFunction('events/sweep-due', {});
  const [mail = ''] = readdirSync(mails).map((name) => readFileSync(join(mails, name), 'utf8'));
  const [, text = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(mail) ?? [];
  expect(Buffer.from(text, 'base64').toString()).toContain(`/withdraw/confirm?id=${declaration.id}`);
});
