import { fieldsOf } from '../../domain/access/audit.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { type OwnWords, type WordedMail, withOwnWords, withWordedLanguage } from '../../domain/orders/own-words.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { retryStale } from '../retry.ts';

export interface ChangeMailWordsDeps {
  brands: Pick<BrandStore, 'get' | 'mailWords' | 'saveMailWords'>;
}

interface ChangedWords {
  mail: WordedMail;
  language: string;
  words: OwnWords;
}

/** Replaces the merchant's words of one mail in one language. Later mails have the new words. */
export const changeMailWords = (
  { brands }: ChangeMailWordsDeps,
  { mail, language, words }: ChangedWords,
  claim: Claim<string>,
): Promise<string> =>
  retryStale(async () => {
    const [all, before] = await Promise.all([brands.get(), brands.mailWords(language)]);
    const after = withOwnWords(before, mail, words);
    const details = { language, changed: fieldsOf(after[mail] ?? {}) };
    const records = claim(mail, { command: 'mail_words.update', subject: mail, details });
    const wordedIn = withWordedLanguage(all.wordedIn ?? [], language, after);
    await brands.saveMailWords({ language, words: after, brands: { ...all, wordedIn } }, records);
    return mail;
  });
