import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  adopted,
  currentPolicy,
  earlierTexts,
  hashesOf,
  namesClosedPlatform,
  policiesAt,
  policyHash,
  publish,
  publishedKinds,
} from '../../../shared/domain/catalogue/policies.ts';

const empty = { publications: [], version: 0 };
const terms = { kind: 'terms', language: 'de', text: 'AGB' } as const;
const hashes = (kind: 'terms' | 'imprint', language: string, text: string) => policyHash({ kind, language, text });

describe('a published text', () => {
  it('has a hash of its kind, its language and its text as name', () => {
    const bytes = createHash('sha256').update('terms\nde\nAGB').digest().subarray(0, 24);
    expect(policyHash(terms)).toBe(bytes.toString('base64url'));
    const others = [{ kind: 'privacy' }, { language: 'en' }, { text: 'AGB.' }].map((other) =>
      policyHash({ ...terms, ...other }),
    );
    expect(new Set([policyHash(terms), ...others]).size).toBe(4);
  });

  it('stays stored when another text replaces it, and is the same version when it is published again', () => {
    const first = publish(empty, [terms], '2026-01-01');
    const second = publish(first.log, [{ ...terms, text: 'AGB 2' }], '2026-02-01');
    const third = publish(second.log, [terms], '2026-03-01');
    expect(first.versions).toEqual([{ ...terms, hash: policyHash(terms), publishedAt: '2026-01-01' }]);
    expect(second.versions).toHaveLength(1);
    expect(third.versions).toEqual([]);
    expect(third.log.publications.map(({ hash, at }) => [hash, at])).toEqual([
      [hashes('terms', 'de', 'AGB'), '2026-01-01'],
      [hashes('terms', 'de', 'AGB 2'), '2026-02-01'],
      [hashes('terms', 'de', 'AGB'), '2026-03-01'],
    ]);
  });

  it('adds no entry if the same text is current, or if a cleared text was already absent', () => {
    const { log } = publish(empty, [terms], '2026-01-01');
    expect(publish(log, [terms, { ...terms, language: 'fr', text: '' }], '2026-02-01').log).toEqual(log);
  });

  it('is no longer current after its end', () => {
    const { log } = publish(empty, [terms, { ...terms, language: 'en', text: 'Terms' }], '2026-01-01');
    const ended = publish(log, [{ ...terms, text: '' }], '2026-02-01').log;
    expect(hashesOf(ended)).toEqual({ terms: { en: hashes('terms', 'en', 'Terms') } });
    expect(hashesOf(publish(ended, [{ ...terms, language: 'en', text: '' }], '2026-03-01').log)).toEqual({});
  });
});

describe('the texts of a reader', () => {
  const texts = hashesOf(
    publish(
      empty,
      [terms, { ...terms, language: 'fr', text: 'CGV' }, { kind: 'imprint', language: 'pl', text: 'Sprzedawca' }],
      '2026-01-01',
    ).log,
  );

  it.each([
    { reader: 'fr', language: 'fr' },
    { reader: 'fr-CA', language: 'fr' },
    { reader: 'sv', language: 'de' },
  ])('with the language $reader are shown in $language, if the merchant is German', ({ reader, language }) => {
    expect(currentPolicy({ texts }, 'terms', [reader, 'de'])?.language).toBe(language);
  });

  it('are shown in any language if neither the reader’s nor the merchant’s language has one', () => {
    expect(currentPolicy({ texts }, 'imprint', ['sv', 'de'])).toEqual({
      language: 'pl',
      hash: hashes('imprint', 'pl', 'Sprzedawca'),
    });
    expect(currentPolicy({ texts }, 'privacy', ['sv', 'de'])).toBeUndefined();
  });

  it('are stored with the payment if they belong to the contract', () => {
    expect(policiesAt({ texts }, ['fr', 'de'])).toEqual({ terms: hashes('terms', 'fr', 'CGV') });
    expect(policiesAt({}, ['fr', 'de'])).toEqual({});
  });

  it('are linked by kind, even when only the list of release 0.2.0 exists', () => {
    expect(publishedKinds({ texts, policies: ['refunds'] })).toEqual(['terms', 'imprint']);
    expect(publishedKinds({ policies: ['refunds', 'terms'] })).toEqual(['terms', 'refunds']);
  });
});

describe('the texts that release 0.2.0 stored', () => {
  const ofEarlier = { texts: { terms: 'AGB', refunds: '14 Tage' }, version: 3 };

  it('become versions in the language of the merchant’s country', () => {
    const { log, versions } = adopted(empty, ofEarlier, 'de', '2026-01-01');
    expect(versions.map(({ kind, language, text }) => [kind, language, text])).toEqual([
      ['terms', 'de', 'AGB'],
      ['refunds', 'de', '14 Tage'],
    ]);
    expect(Object.keys(hashesOf(log))).toEqual(['terms', 'refunds']);
  });

  it('end a version whose text release 0.2.0 has cleared since', () => {
    const { log } = publish(empty, [{ kind: 'privacy', language: 'de', text: 'Daten' }], '2026-01-01');
    expect(hashesOf(adopted(log, ofEarlier, 'de', '2026-02-01').log)).not.toHaveProperty('privacy');
  });

  it('add no version if the current release wrote the row', () => {
    expect(adopted(empty, { ...ofEarlier, language: 'de' }, 'de', '2026-01-01').log).toEqual(empty);
  });

  it('are updated only by changes in that language', () => {
    const changes = [
      { ...terms, text: 'Neu' },
      { ...terms, language: 'fr', text: 'CGV' },
      { kind: 'refunds', language: 'de', text: '' },
      { kind: 'imprint', language: 'de', text: 'Wir' },
    ] as const;
    expect(earlierTexts(ofEarlier, changes, 'de')).toEqual({ terms: 'Neu' });
  });
});

describe('a text that links to the EU’s closed dispute platform', () => {
  it.each([
    'See https://ec.europa.eu/consumers/odr for disputes.',
    'http://ec.europa.eu/consumers/odr/main/index.cfm',
    'EC.EUROPA.EU/ODR',
    'https://webgate.ec.europa.eu/odr/main',
  ])('is found: %s', (text) => expect(namesClosedPlatform(text)).toBe(true));

  it.each(['We take part in no arbitration.', 'https://ec.europa.eu/info'])('is not found in: %s', (text) =>
    expect(namesClosedPlatform(text)).toBe(false),
  );
});
