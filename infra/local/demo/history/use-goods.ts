import * as z from 'zod';
import { downloadToken } from '../../../../shared/domain/entitlements/download-link.ts';
import { grantsOwedBy } from '../../../../shared/domain/entitlements/grant.ts';
import { orderSecret } from '../../../../shared/domain/orders/order-link.ts';
import type { Payment } from '../../../../shared/domain/payments/payment.ts';
import { hashApiKey } from '../../../../shared/http/api-key.ts';
import { downloadFile } from '../../../../shared/use-cases/entitlements/download-file.ts';
import { settleGrants } from '../../../../shared/use-cases/entitlements/settle-grants.ts';
import { buyerFiles } from '../../../../shared/wiring/files.ts';
import * as runtime from '../../../../shared/wiring/runtime.ts';
import type { ApiClient } from '../api-client.ts';

const stores = () => ({
  payments: runtime.payments(),
  grants: runtime.grants(),
  entitlements: runtime.entitlements(),
  licenseKeys: runtime.licenseKeys(),
});

/** Updates the grants of an order, at the time of the functions' clock: they are given, ended or given back. */
export async function deliver(paymentId: string): Promise<void> {
  const { status } = await runtime.payments().get(paymentId);
  if (status !== 'succeeded') return;
  const { newId, newBytes, now } = runtime;
  await settleGrants({ ...stores(), pool: runtime.codePools(), newId, newBytes, now }, paymentId);
}

/** Presses the button of the first file like a buyer. Activates the licence key if there is a device. */
export async function useGoods(api: Pick<ApiClient, 'post'>, paymentId: string, device?: string): Promise<void> {
  const payment = await runtime.payments().get(paymentId);
  for (const { id, entitlement } of grantsOwedBy(payment)) {
    if (entitlement.type === 'digital_files') await download(payment, id);
    if (entitlement.type === 'license_key' && device) await activate(api, id, device);
  }
}

async function download(payment: Payment, grantId: string): Promise<void> {
  const deps = {
    ...stores(),
    mails: { notes: async () => [] },
    isMailed: false,
    files: buyerFiles(),
    throttles: runtime.throttles(),
    stackSecret: runtime.findStackSecret,
    hashOf: hashApiKey,
    now: runtime.now,
  };
  const { entitlementId } = await deps.grants.get(grantId);
  const { config } = await deps.entitlements.get(entitlementId);
  const [first] = config.type === 'digital_files' ? config.files : [];
  const place = { grantId, fileId: first?.id ?? '' };
  const token = downloadToken(place, deps.now(), orderSecret(payment, await runtime.stackSecret()));
  const { outcome } = await downloadFile(deps, { ...place, token });
  if (outcome !== 'leads') throw new Error(`A download of ${payment.id} is ${outcome}.`);
}

const Instance = z.object({ id: z.string() });

async function activate(api: Pick<ApiClient, 'post'>, grantId: string, device: string): Promise<void> {
  const { licenseKeyId } = await runtime.grants().get(grantId);
  const { key } = await runtime.licenseKeys().get(licenseKeyId ?? '');
  Instance.parse(await api.post('/licenses/activate', { license_key: key, name: device }));
}
