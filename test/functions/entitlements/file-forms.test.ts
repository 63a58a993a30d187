import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { buyerFiles } from '../../../shared/wiring/files.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  browsing = await browse(api, localKey);
});
afterAll(async () => {
  await bucket.stop();
  await api.stop();
});

/** Two parts: all but the last need 5 MiB. */
const parts: [Buffer, Buffer] = [Buffer.alloc(5 * 1_024 ** 2, 'a'), Buffer.from('the end')];
const size = parts[0].length + parts[1].length;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The page of a new entitlement of files. */
async function newPage(): Promise<{ path: string; id: string }> {
  const body = { name: 'Songs', integration_type: 'digital_files', integration_config: {} };
  const { id } = (await api.call('POST /entitlements', { body })).body;
  return { path: `/dashboard/products/${await addProduct(api)}/entitlements/${id}`, id };
}

const send = (path: string, fields: Record<string, string>, { cookies, token } = browsing) =>
  postForm(api, path, { token, form_id: crypto.randomUUID(), ...fields }, cookies);

async function added(path: string, file_name = 'Song.mp3'): Promise<string> {
  const { headers } = await send(path, { action: 'add_file', file_name, file_size: String(size) });
  return /file=(fil_\w+)/.exec(headers['location'] ?? '')?.[1] ?? 'not added';
}

/** Signs and sends one part, with other bytes than announced if asked for. */
async function sendPart(path: string, file_id: string, at: number, { upload_id = '', bytes = parts[at] } = {}) {
  const announced = parts[at] ?? Buffer.alloc(0);
  const begun: Record<string, string> = upload_id === '' ? {} : { upload_id };
  const part = { number: String(at + 1), size: String(announced.length), sha256: sha256(announced) };
  const signed = JSON.parse((await send(path, { action: 'sign_part', file_id, ...part, ...begun })).text);
  const answer = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: new Uint8Array(bytes ?? []) });
  const arrived = { number: at + 1, etag: answer.headers.get('etag'), sha256: part.sha256 };
  return { status: answer.status, upload_id: signed.upload_id as string, arrived };
}

async function sendAll(path: string, file_id: string, more: { replaces?: string } = {}) {
  const first = await sendPart(path, file_id, 0);
  const { upload_id } = first;
  const second = await sendPart(path, file_id, 1, { upload_id });
  const sent = JSON.stringify([first.arrived, second.arrived]);
  return send(path, { action: 'finish_file', file_id, upload_id, parts: sent, ...more });
}

const filesOf = async (id: string): Promise<{ file_id: string; filename: string; file_size: number }[]> =>
  (await api.call(`GET /entitlements/${id}`)).body.integration_config.digital_files.files;
const bytesOf = async (entitlementId: string, fileId: string) =>
  (await buyerFiles().look({ entitlementId, fileId }))?.size;
const namesOf = async (id: string) => (await filesOf(id)).map(({ filename }) => filename);
const shownAt = async (path: string, { cookies } = browsing) => api.call(`GET ${path}`, { cookies, key: null });

describe('the files of an entitlement', () => {
  it('are uploaded by the browser in parts, and are offered once all parts have arrived', async () => {
    const { path, id } = await newPage();
    const fileId = await added(path);
    expect(await filesOf(id)).toEqual([]);
    expect((await shownAt(path)).text).toContain('Not complete');
    expect((await sendAll(path, fileId)).headers['location']).toBe(`${path}?done=uploaded`);
    expect(await filesOf(id)).toMatchObject([{ file_id: fileId, filename: 'Song.mp3', file_size: size }]);
  });

  it('are uploaded only with parts that have the announced SHA-256, and the same part can be sent again', async () => {
    const { path } = await newPage();
    const fileId = await added(path);
    const broken = await sendPart(path, fileId, 1, { bytes: Buffer.from('the evil') });
    const { upload_id } = broken;
    expect(broken.status).toBeGreaterThanOrEqual(400);
    expect((await sendPart(path, fileId, 1, { upload_id })).status).toBe(200);
  });

  it('are not offered while a part is missing, and the answer says so as JSON', async () => {
    const { path, id } = await newPage();
    const fileId = await added(path);
    const { upload_id, arrived } = await sendPart(path, fileId, 0);
    const ended = { action: 'finish_file', file_id: fileId, upload_id, parts: JSON.stringify([arrived]) };
    const { status, text } = await send(path, ended);
    expect([status, Object.keys(JSON.parse(text))]).toEqual([422, ['refusal']]);
    expect(await filesOf(id)).toEqual([]);
  });

  it('get upload addresses only if they belong to this entitlement and still wait for their bytes', async () => {
    const [one, other] = [await newPage(), await newPage()];
    const fileId = await added(one.path);
    const part = { action: 'sign_part', number: '1', size: '7', sha256: sha256(parts[1]) };
    expect((await send(other.path, { ...part, file_id: fileId })).status).toBe(404);
    await sendAll(one.path, fileId);
    expect((await send(one.path, { ...part, file_id: fileId })).status).toBe(422);
  });

  it.each([
    [{ file_name: '../etc/passwd', file_size: '7' }, 'without a slash'],
    [{ file_name: '', file_size: '7' }, 'without a slash'],
    [{ file_name: 'a', file_size: '0' }, 'at most 5 GB'],
    [{ file_name: 'a', file_size: String(5 * 1_024 ** 3 + 1) }, 'at most 5 GB'],
    [{ file_name: 'a', file_size: '' }, 'at most 5 GB'],
  ])('are refused in plain words before the upload: %o', async (fields, words) => {
    const { path } = await newPage();
    const { status, text } = await send(path, { action: 'add_file', ...fields });
    expect([status, JSON.parse(text).refusal]).toEqual([422, expect.stringContaining(words)]);
  });

  it('can be renamed, moved up, and removed with their bytes', async () => {
    const { path, id } = await newPage();
    const ids = [await added(path, 'One.mp3'), await added(path, 'Two.mp3')];
    for (const file of ids) await sendAll(path, file);
    const [first = '', second = ''] = ids;
    await send(path, { action: 'rename_file', file_id: second, file_name: 'Título – 2.mp3' });
    await send(path, { action: 'move_file', file_id: second });
    expect(await namesOf(id)).toEqual(['Título – 2.mp3', 'One.mp3']);
    await send(path, { action: 'move_file', file_id: second });
    expect(await namesOf(id)).toEqual(['Título – 2.mp3', 'One.mp3']);
    await send(path, { action: 'remove_file', file_id: first });
    expect(await namesOf(id)).toEqual(['Título – 2.mp3']);
  });

  it('can be replaced in the same position, and the old file is removed once the new one has arrived', async () => {
    const { path, id } = await newPage();
    const [first, second] = [await added(path, 'One.mp3'), await added(path, 'Two.mp3')];
    for (const file of [first, second]) await sendAll(path, file);
    expect((await shownAt(path)).text).toContain(`data-replaces="${first}"`);
    const newer = await added(path, 'One, remastered.mp3');
    expect(await namesOf(id)).toEqual(['One.mp3', 'Two.mp3']);
    const before = await bytesOf(id, first);
    await sendAll(path, newer, { replaces: first });
    expect(await namesOf(id)).toEqual(['One, remastered.mp3', 'Two.mp3']);
    expect([before, await bytesOf(id, first), await bytesOf(id, newer)]).toEqual([size, undefined, size]);
    const last = await added(path, 'Three.mp3');
    await sendAll(path, last, { replaces: first }); // gone meanwhile
    expect(await namesOf(id)).toEqual(['One, remastered.mp3', 'Two.mp3', 'Three.mp3']);
  });

  it('can be downloaded as often as the form says, and without a limit if its field is empty', async () => {
    const { path, id } = await newPage();
    const form = { action: 'save', integration_type: 'digital_files', name: 'Songs' };
    const limitOf = async () =>
      (await api.call(`GET /entitlements/${id}`)).body.integration_config.digital_files.downloads_limit;
    expect((await send(path, { ...form, downloads_limit: '3' })).status).toBe(303);
    expect(await limitOf()).toBe(3);
    expect((await shownAt(path)).text).toMatch(/<input[^>]* value="3"[^>]* name="downloads_limit"/);
    for (const refused of ['0', '-1', '1.5', 'many'])
      expect((await send(path, { ...form, downloads_limit: refused })).status).toBe(422);
    expect(await limitOf()).toBe(3);
    await send(path, { ...form, downloads_limit: '' });
    expect(await limitOf()).toBeNull();
  });

  it('have a warning that earlier buyers lose a removed file, and their page may connect only to the bucket', async () => {
    const { path } = await newPage();
    await added(path);
    const { text, headers } = await shownAt(path);
    expect(text).toContain('The file disappears for everybody, also for those who have bought it already.');
    expect(headers['content-security-policy']).toContain(`connect-src 'self' ${new URL(bucket.url).origin};`);
  });

  it('cannot be changed by a member with read access', async () => {
    const { path } = await newPage();
    const fileId = await added(path);
    const reader = await browse(api, await api.addKey({ access: 'read' }));
    expect((await shownAt(path, reader)).text).not.toMatch(/id="uploads"|name="file_id"/);
    for (const action of ['add_file', 'sign_part', 'finish_file', 'rename_file', 'move_file', 'remove_file'])
      expect((await send(path, { action, file_id: fileId }, reader)).status).toBe(403);
  });
});
