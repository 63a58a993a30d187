import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const config = {
  digital_files: { digital_file_ids: [], external_url: 'https://example.com/more', instructions: 'Open it.' },
  license_key: { activations_limit: 3, duration_count: 1, duration_interval: 'Year', activation_message: 'Thank you.' },
  feature_flag: { feature_id: 'pro' },
};
type Type = keyof typeof config;

const create = (type: string, fields: object = {}) =>
  api.call('POST /entitlements', {
    body: { name: 'Atlas', integration_type: type, integration_config: config[type as Type], ...fields },
  });
const made = async (type: Type, fields: object = {}) => (await create(type, fields)).body;
const change = (id: string, body: object) => api.call(`PATCH /entitlements/${id}`, { body });
const get = (id: string) => api.call(`GET /entitlements/${id}`);
const unknown = `ent_${'x'.repeat(21)}`;

describe('POST /entitlements', () => {
  it.each([
    [
      'digital_files',
      {
        digital_files: {
          files: [],
          external_url: 'https://example.com/more',
          instructions: 'Open it.',
          downloads_limit: null,
        },
      },
    ],
    ['license_key', { ...config.license_key, fulfillment_mode: 'auto', pool: false }],
    ['feature_flag', { feature_id: 'pro', feature_type: 'boolean' }],
  ] as const)(
    '200: creates an entitlement of the type %s, which GET then answers',
    async (type, integration_config) => {
      const { status, body } = await create(type, { metadata: { shelf: 'sky' } });
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^ent_[A-Za-z0-9]{21}$/),
        business_id: 'demo',
        name: 'Atlas',
        description: null,
        integration_type: type,
        integration_config,
        access: { full_refund_revokes: true, chargeback_suspends: true, lost_dispute_revokes: true },
        is_active: true,
        metadata: { shelf: 'sky' },
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect((await get(body.id)).body).toEqual(body);
    },
  );

  it('200: creates a pool of codes with the mode “manual”', async () => {
    const { integration_config: pool } = await made('license_key', { integration_config: { pool: true } });
    expect(pool).toMatchObject({ pool: true, fulfillment_mode: 'manual', activations_limit: null });
  });

  it('200: stores the access rules that are sent, and default rules for the others', async () => {
    const { access } = await made('feature_flag', { access: { full_refund_revokes: false } });
    expect(access).toEqual({ full_refund_revokes: false, chargeback_suspends: true, lost_dispute_revokes: true });
  });

  it.each(['discord', 'telegram', 'github', 'figma', 'framer', 'notion'])(
    '422: refuses the type %s by name, and points to the webhooks for merchants’ own code',
    async (type) => {
      const answer = await create(type, { integration_config: {} });
      expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', 'integration_type');
      expect(answer.body.message).toContain(`${type} is not given out here`);
      expect(answer.body.message).toContain('entitlement_grant.*');
    },
  );

  it.each([
    ['a field of another type', 'license_key', { feature_id: 'pro' }, 'INVALID_REQUEST_BODY', 'feature_id'],
    ['a flag without a name', 'feature_flag', {}, 'INVALID_REQUEST_BODY', 'feature_id'],
    ['half a duration', 'license_key', { duration_count: 1 }, 'INVALID_REQUEST_PARAMETERS', 'duration_interval'],
    ['the other half', 'license_key', { duration_interval: 'Day' }, 'INVALID_REQUEST_PARAMETERS', 'duration_count'],
    [
      'a pool whose keys are made',
      'license_key',
      { pool: true, fulfillment_mode: 'auto' },
      'INVALID_REQUEST_PARAMETERS',
      'fulfillment_mode',
    ],
    [
      'files of others',
      'digital_files',
      { digital_file_ids: ['file_1'] },
      'INVALID_REQUEST_PARAMETERS',
      'digital_file_ids[0]',
    ],
    ['legacy files', 'digital_files', { legacy_file_ids: ['file_1'] }, 'INVALID_REQUEST_BODY', 'legacy_file_ids'],
    [
      'a plain address',
      'digital_files',
      { external_url: 'http://example.com' },
      'INVALID_REQUEST_BODY',
      'external_url',
    ],
    ['an unknown field', 'license_key', { seats: 3 }, 'INVALID_REQUEST_BODY', 'seats'],
  ])('422: refuses %s', async (_, type, integration_config, code, field) => {
    expectProblem(await create(type, { integration_config }), 422, code, `integration_config.${field}`);
  });
});

describe('GET /entitlements', () => {
  it('200: lists each entitlement once, newest first, without deleted ones and by type', async () => {
    const first = await made('feature_flag', { name: 'First' });
    clock.forward({ minutes: 1 });
    const second = await made('license_key', { name: 'Second' });
    clock.run();
    const gone = await made('feature_flag', { name: 'Gone' });
    await api.call(`DELETE /entitlements/${gone.id}`);
    const ids = async (query: string): Promise<string[]> =>
      (await api.call('GET /entitlements', { query })).body.items.map(({ id }: { id: string }) => id);
    const all = await ids('page_size=100');
    expect(all.indexOf(second.id)).toBeLessThan(all.indexOf(first.id));
    expect(all).not.toContain(gone.id);
    expect(await ids('page_size=100&integration_type=license_key')).not.toContain(first.id);
    expect(await ids('integration_type=github')).toEqual([]);
    const listed = (await api.call('GET /entitlements', { query: 'page_size=100' })).body.items;
    expect(listed.find(({ id }: { id: string }) => id === second.id)).toEqual(second);
  });
});

describe('PATCH /entitlements/{id}', () => {
  it('200: changes the named fields, even single fields of the configuration', async () => {
    const { id } = await made('license_key');
    const { status, body } = await change(id, {
      name: 'Globe',
      integration_config: { activations_limit: null },
      access: { chargeback_suspends: false },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Globe',
      integration_config: { ...config.license_key, activations_limit: null },
      access: { full_refund_revokes: true, chargeback_suspends: false, lost_dispute_revokes: true },
    });
    expect((await get(id)).body).toEqual(body);
  });

  it('200: clears description and metadata with `null`, and keeps required fields', async () => {
    const { id } = await made('license_key', { description: 'Two lines.', metadata: { a: 1 } });
    const { body } = await change(id, { name: null, description: null, metadata: null, integration_config: null });
    expect(body).toMatchObject({ name: 'Atlas', description: null, metadata: {} });
    expect(body.integration_config).toMatchObject(config.license_key);
  });

  it('200: turns a pool into generated keys with the mode “auto”', async () => {
    const { id } = await made('license_key', { integration_config: { pool: true } });
    expect((await change(id, { integration_config: { activation_message: 'Hi' } })).body).toMatchObject({
      integration_config: { pool: true },
    });
    expect((await change(id, { integration_config: { fulfillment_mode: 'auto' } })).body).toMatchObject({
      integration_config: { pool: false, fulfillment_mode: 'auto' },
    });
  });

  it('422: refuses a change of the type', async () => {
    const { id } = await made('feature_flag');
    expectProblem(
      await change(id, { integration_type: 'license_key' }),
      422,
      'INVALID_REQUEST_BODY',
      'integration_type',
    );
    expectProblem(
      await change(id, { integration_config: { pool: true } }),
      422,
      'INVALID_REQUEST_BODY',
      'integration_config.pool',
    );
  });
});

describe('an entitlement that is deleted or unknown', () => {
  it('404: cannot be read, changed or deleted', async () => {
    const { id } = await made('feature_flag');
    expect((await api.call(`DELETE /entitlements/${id}`)).body).toEqual({});
    for (const gone of [id, unknown]) {
      expectProblem(await get(gone), 404, 'NOT_FOUND');
      expectProblem(await change(gone, { name: 'Globe' }), 404, 'NOT_FOUND');
      expectProblem(await api.call(`DELETE /entitlements/${gone}`), 404, 'NOT_FOUND');
    }
  });
});
