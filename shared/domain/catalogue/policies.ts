import { createHash } from 'node:crypto';
import * as z from 'zod';

/** The texts that a seller can publish. */
export const policyKinds = ['terms', 'privacy', 'refunds', 'withdrawal', 'imprint', 'accessibility'] as const;
export type PolicyKind = (typeof policyKinds)[number];

/** The kinds of 0.2.0, which has one text of each kind, in one language. It cannot read a row with another kind. */
export const earlierKinds = ['terms', 'privacy', 'refunds'] as const;

/** The texts in the row that 0.2.0 also reads and writes. */
export const Policies = z.object({
  texts: z.partialRecord(z.enum(earlierKinds), z.string()),
  /** The language of the texts. 0.2.0 leaves it out, so a row without it was written by 0.2.0. */
  language: z.string().optional(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Policies = z.infer<typeof Policies>;

/**
 * The current version of each text: `{ terms: { de: <hash>, en: <hash> } }`. A later version may add kinds, so any kind
 * can be read.
 */
export const PolicyHashes = z.record(z.string(), z.record(z.string(), z.string()));
export type PolicyHashes = z.infer<typeof PolicyHashes>;

/** A text of a seller in one language. It never changes: another text is another version. */
export const PolicyVersion = z.object({
  /**
   * The first 24 bytes of the SHA-256 of kind, language and text, with a line feed after each of the first two, in
   * base64url.
   */
  hash: z.string(),
  kind: z.string(),
  language: z.string(),
  text: z.string(),
  /** When it was first published. */
  publishedAt: z.string(),
});
export type PolicyVersion = z.infer<typeof PolicyVersion>;

/** The version with this hash is the current one from `at` on. A null hash means that there is no text from then on. */
const Publication = z.object({ kind: z.string(), language: z.string(), hash: z.string().nullable(), at: z.string() });
export type Publication = z.infer<typeof Publication>;

/**
 * Everything that was ever published, oldest first. Version 0.2.0 never writes this row, so it cannot lose an entry.
 */
export const PolicyLog = z.object({
  publications: z.array(Publication),
  /** The last entries of the form that makes a text, by kind. */
  forms: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type PolicyLog = z.infer<typeof PolicyLog>;

/** A text that replaces the current one. An empty text ends it. */
export interface PolicyChange {
  kind: PolicyKind;
  language: string;
  text: string;
  /** The entries of the form that made the text; absent if it was written. */
  form?: Record<string, string>;
}

export const policyHash = ({ kind, language, text }: Pick<PolicyVersion, 'kind' | 'language' | 'text'>): string =>
  createHash('sha256').update([kind, language, text].join('\n')).digest().subarray(0, 24).toString('base64url');

export function hashesOf({ publications }: Pick<PolicyLog, 'publications'>): PolicyHashes {
  const current: PolicyHashes = {};
  for (const { kind, language, hash } of publications) {
    const { [language]: _, ...others } = current[kind] ?? {};
    current[kind] = hash === null ? others : { ...others, [language]: hash };
  }
  return Object.fromEntries(Object.entries(current).filter(([, languages]) => Object.keys(languages).length > 0));
}

/** The log after some changes, and the versions that are new in it. A text that is already current adds nothing. */
export function publish(
  log: PolicyLog,
  changes: readonly PolicyChange[],
  at: string,
): { log: PolicyLog; versions: PolicyVersion[] } {
  const publications = [...log.publications];
  const versions: PolicyVersion[] = [];
  for (const change of changes) {
    const { kind, language, text } = change;
    const hash = text === '' ? null : policyHash(change);
    if ((hashesOf({ publications })[kind]?.[language] ?? null) === hash) continue;
    const isKnown = publications.some((earlier) => earlier.hash === hash);
    if (hash !== null && !isKnown) versions.push({ hash, kind, language, text, publishedAt: at });
    publications.push({ kind, language, hash, at });
  }
  return { log: { ...log, publications, ...keptForms(log, changes) }, versions };
}

/** Remembers what was entered in the forms, for each change that comes from a form. */
function keptForms({ forms = {} }: PolicyLog, changes: readonly PolicyChange[]): Pick<PolicyLog, 'forms'> {
  const entered = changes.flatMap(({ kind, form }) => (form ? [[kind, form] as const] : []));
  return entered.length > 0 ? { forms: { ...forms, ...Object.fromEntries(entered) } } : {};
}

/**
 * The texts that 0.2.0 wrote after our last write of its row, as changes. They are in the language of the merchant's
 * country.
 */
export const earlierChanges = (
  { texts, language: ours, version }: Policies,
  language: string,
): readonly PolicyChange[] =>
  ours === undefined && version > 0 ? earlierKinds.map((kind) => ({ kind, language, text: texts[kind] ?? '' })) : [];

/**
 * The texts for the row that 0.2.0 reads, after some changes. That row has only the language of the merchant's country.
 */
export function earlierTexts(
  { texts }: Policies,
  changes: readonly PolicyChange[],
  language: string,
): Policies['texts'] {
  const after = { ...texts };
  for (const kind of earlierKinds) {
    const change = changes.findLast((one) => one.kind === kind && one.language === language);
    if (change?.text === '') delete after[kind];
    else if (change) after[kind] = change.text;
  }
  return after;
}

/** What the row of all brands says about published texts. Pages need no other read. */
export interface PublishedPolicies {
  /** The kinds of 0.2.0 that have a text. */
  policies?: readonly PolicyKind[] | undefined;
  /** The current versions; absent if 0.2.0 wrote the row last. */
  texts?: PolicyHashes | undefined;
}

/** The kinds that have a text in any language. */
export const publishedKinds = ({ policies = [], texts }: PublishedPolicies): PolicyKind[] =>
  policyKinds.filter((kind) => (texts ? texts[kind] !== undefined : policies.includes(kind)));

/**
 * The current version of a kind: in the first of these languages that has one, or else in any. A language without its
 * region comes next: `zh` for `zh-TW`.
 */
export function currentPolicy(
  { texts = {} }: PublishedPolicies,
  kind: PolicyKind,
  languages: readonly string[],
): { language: string; hash: string } | undefined {
  const known = texts[kind] ?? {};
  const [language] = [...languages.flatMap((one) => [one, one.slice(0, 2)]), 'en', ...Object.keys(known)].filter(
    (one) => known[one] !== undefined,
  );
  const hash = known[language ?? ''];
  return language === undefined || hash === undefined ? undefined : { language, hash };
}

/** The kinds that belong to a contract, so a payment keeps their versions. */
const contractKinds = ['terms', 'privacy', 'refunds', 'withdrawal'] as const;

/** The versions that apply to a buyer with these languages, by kind. A payment stores them. Empty if there are none. */
export const policiesAt = (published: PublishedPolicies, languages: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    contractKinds.flatMap((kind) => {
      const current = currentPolicy(published, kind, languages);
      return current ? [[kind, current.hash]] : [];
    }),
  );

/** The log, completed with the texts that 0.2.0 has written since. */
export const adopted = (log: PolicyLog, policies: Policies, language: string, at: string) =>
  publish(log, earlierChanges(policies, language), at);

/** The platform of the EU for online disputes closed on 2025-07-20. A link to it is misleading. */
export const namesClosedPlatform = (text: string): boolean =>
  /\b(?:ec\.europa\.eu\/(?:consumers\/)?odr|webgate\.ec\.europa\.eu\/odr)\b/i.test(text);
