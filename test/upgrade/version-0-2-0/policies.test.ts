import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { adoptPolicies, publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { updateWithdrawalSettings } from '../../../shared/use-cases/withdrawal/update-withdrawal-settings.ts';
import { brands, now, table } from '../../../shared/wiring/runtime.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';

describeWith020('The texts of a merchant during an upgrade', () => {
  let api: Api;
  let before: Release;
  let viewer: Browsing;
  const deps = () => ({ brands: brands(), policyLanguage: 'de', now });
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
    viewer = await browse(before as Pick<Api, 'call'> as Api, await api.addKey({ access: 'admin' }));
  });
  beforeEach(async () => {
    const { client, name: TableName } = table();
    for (const { pk, sk } of await scanRows(client, TableName))
      if (pk === 'BRAND') await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
    expect((await save(before, { terms: 'AGB von früher', refunds: '14 Tage' })).status).toBe(303);
  });
  afterAll(() => api.stop());

  const save = (version: Pick<Api, 'call'>, fields: Record<string, string>) =>
    postForm(
      version,
      '/dashboard/brands/policies',
      { token: viewer.token, form_id: crypto.randomUUID(), action: 'save_policies', ...fields },
      viewer.cookies,
    );
  const pageOf = async (version: Pick<Api, 'call'>, kind: string, lang = 'de') =>
    version.call(`GET /policies/${kind}`, { key: null, query: `lang=${lang}` });

  it('are shown by this version as 0.2.0 has stored them', async () => {
    expect((await pageOf(api, 'terms')).text).toContain('AGB von früher');
    expect((await pageOf(api, 'terms')).text).toContain('/policies/refunds');
    expect((await pageOf(api, 'privacy')).status).toBe(404);
  });

  it('become versions, and 0.2.0 still shows them', async () => {
    expect(await invokeFunction('accounting/watch-shop', {})).toBeUndefined();
    expect(await adoptPolicies(deps())).toBe(false);
    const hash = (await brands().get()).texts?.['terms']?.['de'] ?? '';
    expect(await brands().policyText(hash)).toMatchObject({ kind: 'terms', language: 'de', text: 'AGB von früher' });
    for (const version of [api, before]) expect((await pageOf(version, 'terms')).text).toContain('AGB von früher');
  });

  const publishMore = async () => {
    await publishPolicies(
      deps(),
      [
        { kind: 'imprint', language: 'de', text: 'Beispiel GmbH' },
        { kind: 'terms', language: 'fr', text: 'CGV' },
        { kind: 'terms', language: 'de', text: 'AGB von heute' },
      ],
      () => [],
    );
    await updateWithdrawalSettings(deps(), { isOff: true, refundsByItself: false }, () => []);
  };

  it('of new kinds and languages do not break the pages of 0.2.0', async () => {
    await adoptPolicies(deps());
    const earlier = (await brands().get()).texts?.['terms']?.['de'];
    await publishMore();
    expect((await pageOf(before, 'terms')).text).toContain('AGB von heute');
    expect((await pageOf(before, 'imprint')).status).toBe(404);
    expect((await before.call('GET /brands')).status).toBe(200);
    expect((await pageOf(api, 'imprint', 'fr')).text).toContain('Beispiel GmbH');
    expect((await pageOf(api, 'terms', 'fr')).text).toContain('CGV');
    const kept = await api.call(`GET /policies/terms/${earlier}`, { key: null, query: 'lang=de' });
    expect(kept.text).toContain('AGB von früher');
  });

  it('are complete again after 0.2.0 has written the brands, and the right of withdrawal is on', async () => {
    await publishMore();
    const { body } = await before.call('GET /brands');
    const path = `PATCH /brands/${body.items[0].brand_id}`;
    expect((await before.call(path, { body: { name: 'Example Books' } })).status).toBe(200);
    expect((await brands().get()).texts).toBeUndefined();
    expect(await adoptPolicies(deps())).toBe(true);
    const { texts, withdrawal } = await brands().get();
    expect(Object.keys(texts ?? {})).toEqual(['terms', 'refunds', 'imprint']);
    expect(Object.keys(texts?.['terms'] ?? {}).sort()).toEqual(['de', 'fr']);
    expect(withdrawal).toBeUndefined();
  });

  it('that 0.2.0 writes later become a newer version, and those that it clears end', async () => {
    await publishMore();
    expect((await save(before, { terms: 'AGB nach der Rückkehr' })).status).toBe(303);
    expect(await adoptPolicies(deps())).toBe(true);
    const { texts } = await brands().get();
    expect(Object.keys(texts ?? {})).toEqual(['terms', 'imprint']);
    expect((await pageOf(api, 'terms')).text).toContain('AGB nach der Rückkehr');
    const log = await brands().policyLog();
    expect(log.publications.map(({ kind, language, hash }) => `${kind} ${language} ${hash ? 'text' : 'end'}`)).toEqual([
      'terms de text',
      'refunds de text',
      'imprint de text',
      'terms fr text',
      'terms de text',
      'terms de text',
      'refunds de end',
    ]);
  });

  it('from an open form of 0.2.0 are saved by this version', async () => {
    expect((await save(api, { terms: 'AGB aus dem alten Formular', privacy: 'Daten', refunds: '' })).status).toBe(303);
    expect((await pageOf(api, 'privacy')).text).toContain('Daten');
    expect((await pageOf(before, 'terms')).text).toContain('AGB aus dem alten Formular');
  });
});
