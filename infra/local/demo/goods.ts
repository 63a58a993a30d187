import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { ApiClient } from './api-client.ts';

/** The files that the demo sells: an e-book in two formats and a song of one second. All were made for the demo. */
export const goods = ['field-guide.pdf', 'field-guide.epub', 'first-song.wav'] as const;

const contentTypes = { pdf: 'application/pdf', epub: 'application/epub+zip', wav: 'audio/wav' } as const;

export const goodOf = (name: string): Buffer => readFileSync(new URL(`goods/${name}`, import.meta.url));
export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const Created = z.object({ id: z.string() });
const Upload = z.object({
  upload: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
});
const Product = z.object({ entitlements: z.array(z.unknown()) });

/**
 * Gives the buyers of a product the files, and a licence key for two devices. Does nothing if they already get
 * something.
 */
export async function giveGoods(api: ApiClient, productId: string): Promise<void> {
  const { entitlements } = Product.parse(await api.get(`/products/${productId}`));
  if (entitlements.length > 0) return;
  const files = await createFiles(api);
  const keys = await create(api, 'Field Guide for desktops', 'license_key', {
    activations_limit: 2,
    activation_message: 'Choose Help, then Activate, and enter the key.',
  });
  const attached = [files, keys].map((entitlement_id) => ({ entitlement_id }));
  await api.patch(`/products/${productId}`, { entitlements: attached });
}

async function createFiles(api: ApiClient): Promise<string> {
  const id = await create(api, 'Field Guide (files)', 'digital_files', {
    digital_file_ids: [],
    instructions: 'The PDF is for paper, the EPUB for readers. The song is a present.',
  });
  for (const name of goods) await upload(api, id, name);
  return id;
}

async function create(api: ApiClient, name: string, type: string, config: object): Promise<string> {
  const body = { name, integration_type: type, integration_config: config };
  return Created.parse(await api.post('/entitlements', body)).id;
}

async function upload(api: ApiClient, entitlementId: string, name: (typeof goods)[number]): Promise<void> {
  const bytes = goodOf(name);
  const extension = name.split('.').at(-1) as keyof typeof contentTypes;
  const announced = {
    file_name: name,
    content_type: contentTypes[extension],
    file_size: bytes.length,
    checksum_sha256: checksumOf(bytes),
  };
  const { upload: to } = Upload.parse(await api.post(`/entitlements/${entitlementId}/files`, announced));
  const { ok, status } = await fetch(to.url, { method: to.method, headers: to.headers, body: new Uint8Array(bytes) });
  if (!ok) throw new Error(`The upload of ${name} was answered with ${status}.`);
}
